// Loaded into the page that is to be printed.

// Put the articles of all pages into this one. Ids of two pages may be the same: each gets
// the number of its page put before it, wherever it is named.
function joinPages(pages) {
    const names = pages.map(page => page.name);
    const joined = pages.map(({name, html}, own) => {
        const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
        const base = new URL(name, "https://course.invalid/");
        for (const part of article.querySelectorAll("script, .headerlink")) part.remove();
        for (const element of article.querySelectorAll("*")) {
            if (element.id) element.id = `s${own}-${element.id}`;
            for (const attribute of element.attributes) {
                const {value} = attribute;
                if (value.includes("url(#")) attribute.value = value.replaceAll("url(#", `url(#s${own}-`);
            }
            if (element.matches("use")) {
                element.setAttribute("href", `#s${own}-${element.getAttribute("href").slice(1)}`);
            }
            if (element.matches("details")) element.open = true;
            if (element.matches("a[href]")) {
                const to = new URL(element.getAttribute("href"), base);
                const there = names.indexOf(to.pathname.slice(1));
                if (there >= 0) {
                    element.setAttribute("href", `#s${there}${to.hash.replace("#", "-")}`);
                } else if (to.host === base.host) {
                    element.removeAttribute("href");  // a file to download
                }
            }
        }
        article.id = `s${own}`;
        return article;
    });
    document.querySelector("main").replaceChildren(...joined);
    document.documentElement.classList.add("paper");
}

// A pattern would be printed as an image of few dots: draw its lines, cut out by the shape.
function drawHatches() {
    const make = (name, into) =>
        into.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
    let count = 0;
    for (const shape of document.querySelectorAll("svg [fill^='url(#']")) {
        const name = shape.getAttribute("fill").slice("url(#".length, -1);
        const pattern = document.getElementById(name);
        const [width, height] = ["width", "height"].map(side => Number(pattern.getAttribute(side)));
        const box = shape.getBBox();
        const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
        const clip = make("clipPath", group);
        clip.id = `hatched-${count++}`;
        const outline = clip.appendChild(shape.cloneNode());
        for (const attribute of ["id", "transform"]) outline.removeAttribute(attribute);
        const lines = make("g", group);
        lines.setAttribute("clip-path", `url(#${clip.id})`);
        const first = [box.x / width, box.y / height].map(Math.floor);
        for (let i = first[0]; i * width < box.x + box.width; i++) {
            for (let j = first[1]; j * height < box.y + box.height; j++) {
                const tile = make("g", lines);
                tile.setAttribute("transform", `translate(${i * width} ${j * height})`);
                for (const line of pattern.querySelectorAll("path")) tile.append(line.cloneNode());
            }
        }
        if (shape.hasAttribute("transform")) {
            group.setAttribute("transform", shape.getAttribute("transform"));
        }
        shape.setAttribute("fill", "none");
        shape.before(group);
    }
}
