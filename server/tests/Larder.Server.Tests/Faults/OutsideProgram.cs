using System.Diagnostics;

namespace Larder.Server.Tests.Faults;

/// <summary>A program of the tree that is no C#, run by the python that tools/setup made fit against the server beside this test.</summary>
internal static class OutsideProgram
{
    /// <summary>Runs it; answers its exit code and everything that it said.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string path, params string[] arguments)
    {
        string root = Root();
        ProcessStartInfo start = new(
            Path.Combine(root, "tools/python"),
            [Path.Combine(root, path), "--server", Path.Combine(AppContext.BaseDirectory, "larder-server.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{path} did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, output + await errors);
    }

    private static string Root()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Larder.slnx")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new DirectoryNotFoundException("The tree is not above the tests.");
    }
}
