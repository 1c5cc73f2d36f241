using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Larder.Tool;

/// <summary>Another program of the package: it takes this process's place, so that a supervisor's signals and its socket of readiness are its own.</summary>
internal static unsafe partial class SiblingProgram
{
    private const int CouldNotStart = 70;

    /// <summary>Runs the program <paramref name="name"/>. Returns where it could not be started, or where the system cannot replace a process.</summary>
    public static int Run(string name, IReadOnlyList<string> arguments)
    {
        string assembly = Path.Combine(AppContext.BaseDirectory, name + ".dll");
        string host = Path.Combine(DotnetFolder(), OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");
        if (OperatingSystem.IsWindows())
        {
            using Process child = Process.Start(host, [assembly, .. arguments]);
            child.WaitForExit();
            return child.ExitCode;
        }

        int error = Replace([host, assembly, .. arguments]);
        Console.Error.WriteLine($"larder: {host} {assembly} cannot be run: {new Win32Exception(error).Message}");
        return CouldNotStart;
    }

    // The runtime's folder is shared/Microsoft.NETCore.App/<version> below the host's: the program is run by the host that runs this one.
    private static string DotnetFolder() => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    private static int Replace(string[] words)
    {
        nint[] texts = [.. words.Select(Marshal.StringToCoTaskMemUTF8), 0];
        fixed (nint* pointers = texts)
        {
            _ = Execute(texts[0], pointers);
        }

        // Only reached where it failed: the process ends at once, and the texts with it.
        return Marshal.GetLastPInvokeError();
    }

    [LibraryImport("libc", EntryPoint = "execv", SetLastError = true)]
    private static partial int Execute(nint path, nint* arguments);
}
