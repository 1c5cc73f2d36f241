using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Larder.Harness;

namespace Larder.Client.Tests.Guides;

/// <summary>Compiles the C# blocks of a page as one program, with the compiler of the SDK and the assemblies of this test.</summary>
internal static partial class SnippetCompiler
{
    // The implicit usings of a web project, and the usings that the pages omit.
    private static readonly string[] s_imports =
    [
        "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks",
        "Microsoft.AspNetCore.Builder", "Microsoft.Extensions.DependencyInjection", "System.Security.Cryptography.X509Certificates",
        "Larder.Client.Codecs",
    ];

    /// <summary>Returns the compiler's messages, or an empty string if the page compiles without a warning.</summary>
    /// <param name="page">The page's path, relative to the root.</param>
    /// <param name="names">
    /// C# code that declares the names that the page uses without declaring them. Names that are not types are members of the class <c>PageNames</c>.
    /// </param>
    public static async Task<string> CompileAsync(string page, string names)
    {
        string blocks = string.Join('\n', Block().Matches(Checkout.Read(page)).Select(found => found.Groups[1].Value));
        IEnumerable<string> usings = Using().Matches(blocks).Select(found => found.Value).Distinct();
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-page-");
        try
        {
            string At(string name) => Path.Combine(folder.FullName, name);
            await File.WriteAllTextAsync(At("Page.cs"), $"{string.Join('\n', usings)}\n{Using().Replace(blocks, "")}");
            await File.WriteAllTextAsync(
                At("Names.cs"),
                $"{string.Concat(s_imports.Select(name => $"global using {name};\n"))}global using static PageNames;\n{names}");
            string references = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!;
            await File.WriteAllLinesAsync(
                At("page.rsp"),
                [
                    "-nologo", "-nostdlib", "-target:exe", "-nullable:enable", "-langversion:14", "-nowarn:CS1701,CS1702",
                    $"-out:{At("page.dll")}",
                    .. references.Split(Path.PathSeparator).Select(path => $"-r:\"{path}\""),
                    At("Page.cs"), At("Names.cs"),
                ]);
            return await RunAsync(Compiler(), $"@{At("page.rsp")}");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<string> RunAsync(string compiler, string arguments)
    {
        ProcessStartInfo start = new(Path.Combine(Root(), "dotnet"), [compiler, "-noconfig", arguments]) { RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string messages = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 || messages.Length > 0 ? messages : $"The compiler failed with exit code {process.ExitCode}.";
    }

    private static string Compiler() => Directory
        .EnumerateDirectories(Path.Combine(Root(), "sdk"), "10.*")
        .Select(sdk => Path.Combine(sdk, "Roslyn", "bincore", "csc.dll"))
        .Order()
        .Last(File.Exists);

    // The shared framework is in <root>/shared/Microsoft.NETCore.App/<version>.
    private static string Root() => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    [GeneratedRegex(@"^```csharp\n(.*?)^```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex(@"^using [\w.]+;$", RegexOptions.Multiline)]
    private static partial Regex Using();
}
