using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Larder.Tool;

/// <summary>
/// Another program of the package. It replaces this process, and so it receives the signals and the readiness socket of a supervisor directly.
/// </summary>
internal static unsafe partial class SiblingProgram
{
    private const int CouldNotStart = 70;

    /// <summary>
    /// Runs the program <paramref name="name"/> in place of this one. On Windows, which cannot replace a process, runs it as a child and returns its exit code.
    /// On other systems, this method returns only if the program cannot be started, and then returns an exit code.
    /// </summary>
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
        Console.Error.WriteLine($"larder: cannot run {host} {assembly}: {new Win32Exception(error).Message}");
        return CouldNotStart;
    }

    // The host that runs this program also runs the other program. The folder of the runtime is shared/Microsoft.NETCore.App/<version> below the folder of the
    // host.
    private static string DotnetFolder() => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));

    private static int Replace(string[] words)
    {
        nint[] texts = [.. words.Select(Marshal.StringToCoTaskMemUTF8), 0];
        fixed (nint* pointers = texts)
        {
            _ = Execute(texts[0], pointers);
        }

        // This line is reached only on failure. The process ends immediately, so the native strings are not freed.
        return Marshal.GetLastPInvokeError();
    }

    [LibraryImport("libc", EntryPoint = "execv", SetLastError = true)]
    private static partial int Execute(nint path, nint* arguments);
}
