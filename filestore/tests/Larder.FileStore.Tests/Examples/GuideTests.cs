using System.Text.RegularExpressions;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests;

/// <summary>Tests that each C# example of the guides is a complete Program.cs for a new web project and compiles unchanged.</summary>
public sealed class GuideTests
{
    /// <summary>The implicit usings of a web project.</summary>
    private const string ImplicitUsings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq; global using System.Net.Http;
        global using System.Net.Http.Json; global using System.Threading; global using System.Threading.Tasks; global using Microsoft.AspNetCore.Builder;
        global using Microsoft.AspNetCore.Hosting; global using Microsoft.AspNetCore.Http; global using Microsoft.AspNetCore.Routing;
        global using Microsoft.Extensions.Configuration; global using Microsoft.Extensions.DependencyInjection; global using Microsoft.Extensions.Hosting;
        global using Microsoft.Extensions.Logging;
        """;

    [Theory]
    [InlineData("docs/guides/file-store.md", 1)]
    [InlineData("docs/guides/from-a-file-to-a-server.md", 2)]
    [InlineData("docs/guides/file-systems.md", 0)]
    [InlineData("filestore/README.md", 0)]
    public void Every_code_block_of_guide_compiles(string page, int atLeast)
    {
        MatchCollection blocks = Regex.Matches(
            File.ReadAllText(Checkout.At(page)),
            "^```csharp\n(.*?)^```",
            RegexOptions.Multiline | RegexOptions.Singleline);
        Assert.InRange(blocks.Count, atLeast, int.MaxValue);
        Assert.All(blocks, b => Assert.Equal("", ErrorsOf(b.Groups[1].Value)));
    }

    /// <summary>
    /// Compiles a program with the newest installed SDK. Nullable is enabled, as in a new project. Returns the compiler's output, or an empty string on
    /// success.
    /// </summary>
    private static string ErrorsOf(string program)
    {
        using ScratchFolder folder = new();
        string source = Path.Combine(folder.Path, "Program.cs");
        string usings = Path.Combine(folder.Path, "Usings.cs");
        File.WriteAllText(source, program);
        File.WriteAllText(usings, ImplicitUsings);
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string compiler = Directory.GetFiles(Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", "sdk")), "csc.dll", SearchOption.AllDirectories).Max()!;
        string example = AppContext.BaseDirectory.Replace(
            Path.Combine("tests", "Larder.FileStore.Tests"), Path.Combine("examples", "FileToServer"), StringComparison.Ordinal);
        IEnumerable<string> references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(f => Path.GetDirectoryName(f)!.Contains("shared", StringComparison.Ordinal))
            .Concat(Directory.GetFiles(example, "Larder.*.dll"));
        string response = Path.Combine(folder.Path, "compile.rsp");
        File.WriteAllLines(response, [.. references.Select(f => $"-r:\"{f}\""), "-nologo", "-nullable:enable", "-warnaserror:nullable", "-target:exe",
            $"-out:\"{Path.Combine(folder.Path, "Program.dll")}\"", $"\"{source}\"", $"\"{usings}\""]);
        ProgramRun run = ProgramRun.Of(ProgramCommand.Dotnet("the compiler", compiler, "@" + response));
        return run.ExitCode == 0 ? "" : run.Output;
    }
}
