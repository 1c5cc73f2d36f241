using System.Diagnostics;

namespace Larder.FileStore.Tests.Support;

/// <summary>A program of this tree that listens for HTTP, started as a process of its own.</summary>
internal sealed class WebProcess : IDisposable
{
    private readonly Process _process;
    private readonly string _address;

    private WebProcess(Process process, string address) => (_process, _address) = (process, address);

    internal int Id => _process.Id;

    /// <summary>Starts one of the web applications under <c>filestore/examples</c> on a free port.</summary>
    internal static WebProcess StartExample(string name, params string[] arguments) =>
        Start($"filestore/examples/{name}", $"{name}.dll", "Now listening on: ", ["--urls", "http://127.0.0.1:0", .. arguments]);

    /// <summary>Starts Larder's server on free ports.</summary>
    internal static WebProcess StartServer() =>
        Start("server/src/Larder.Server", "larder-server.dll", " listening on ", ["--port", "0", "--console-port", "0"]);

    /// <summary>Waits for the line that tells the address, after <paramref name="sign"/>.</summary>
    private static WebProcess Start(string project, string assembly, string sign, string[] arguments)
    {
        string folder = AppContext.BaseDirectory.Replace(
            "filestore/tests/Larder.FileStore.Tests".Replace('/', Path.DirectorySeparatorChar),
            project.Replace('/', Path.DirectorySeparatorChar),
            StringComparison.Ordinal);
        ProcessStartInfo start = new("dotnet", ["exec", Path.Combine(folder, assembly), .. arguments]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        Process process = Process.Start(start)!;
        string? line;
        do
        {
            line = process.StandardOutput.ReadLine();
            Assert.NotNull(line);
        }
        while (!line.Contains(sign, StringComparison.Ordinal));
        // The rest of its log is taken off the pipe, or it would wait for room there.
        _ = process.StandardOutput.ReadToEndAsync();
        return new WebProcess(process, line[(line.IndexOf(sign, StringComparison.Ordinal) + sign.Length)..].Trim().Split(' ')[0]);
    }

    internal Uri Url(string path = "") => new(_address + path);

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
