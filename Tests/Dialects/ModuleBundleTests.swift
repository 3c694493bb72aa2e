import Dialects
import OrderedJSON
import TestSupport
import Testing
import Wire

/// The page's modules, joined into one file where their form is understood.
@Suite struct ModuleBundleTests {
    private static func served(_ modules: [(String, String)]) async -> (main: String, worker: String) {
        let files = (modules + [("/worker.js", "")]).map { ($0.0, Array($0.1.utf8)) as PageFiles.File }
        let page = PageFiles(
            paths: files.map(\.path), load: { files }, sha256: { Array($0.prefix(1)) }, gzip: { _ in nil })
        let table = RouteTable(PageRoutes(files: page, authority: nil, clock: ManualClock()).routes)
        return (await table.ask("GET", "/js/main.js").text, await table.ask("GET", "/worker.js").text)
    }

    private static let answer = ("/js/answer.js", "a();")

    @Test func eachModuleIsBroughtOnceBeforeWhoeverImportsIt() async {
        let modules = [
            ("/js/main.js", "import { b } from \"./views/b.js\";\nimport { C, d } from \"./c.js\";\nb(C, d);"),
            (
                "/js/views/b.js",
                """
                import { C } from "../c.js";
                // A remark, and
                /**
                 * others. @param {C} a
                 */
                export const b = () => new C();
                /** More. */
                export async function e() {} // and one behind code
                """
            ),
            ("/js/c.js", "export class C {}\nexport function d() {}"), Self.answer,
        ]
        let (main, worker) = await Self.served(modules)
        #expect(
            main == """
                const $js$c = (() => {
                class C {}
                function d() {}
                return {C, d};
                })();
                const $js$views$b = (() => {
                const { C } = $js$c;
                const b = () => new C();
                async function e() {} // and one behind code
                return {b, e};
                })();
                const { b } = $js$views$b;
                const { C, d } = $js$c;
                b(C, d);
                """)
        #expect(worker.contains("main.js") && !worker.contains("c.js"), "nobody asks for a module that was brought")
    }

    @Test(arguments: [
        "import b from \"./b.js\";", "import { b as c } from \"./b.js\";", "import { b } from \"./none.js\";",
        "import { main } from \"./main.js\";", "import \"./b.js\";", "export default 5;", "export { b };",
    ])
    func anotherFormIsServedAsItIs(line: String) async {
        let module = ("/js/b.js", "export const b = 1;")
        let (main, worker) = await Self.served([("/js/main.js", line), module, Self.answer])
        #expect(main == line && worker.contains("/js/b.js"))
    }
}
