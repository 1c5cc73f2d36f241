using System.Globalization;
using Larder.Harness.Processes;
using Microsoft.Win32.SafeHandles;

namespace Larder.Store.Bench;

/// <summary>Runs this program as a child process, so that the memory and the pauses of other measurements do not affect the measurement.</summary>
internal static class BenchChild
{
    /// <summary>Runs one of the program's child commands and returns the words of the last line of its output.</summary>
    public static string[] Run(params string[] arguments)
    {
        string name = string.Join(' ', arguments);
        ProgramRun run = ProgramRun.Of(ProgramCommand.Dotnet(name, typeof(BenchChild).Assembly.Location, arguments), Timeout.InfiniteTimeSpan);
        return run.Require(name).Trim().Split('\n')[^1].Split(' ');
    }

    /// <summary>Returns the resident memory of a process, in MiB.</summary>
    public static double ResidentMiB(int processId)
    {
        // The second number in statm is the resident memory in pages. Read it with almost no allocations, because garbage would increase the resident memory.
        using SafeFileHandle file = File.OpenHandle($"/proc/{processId}/statm");
        Span<byte> text = stackalloc byte[256];
        text = text[..RandomAccess.Read(file, text, 0)];
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return long.Parse(text[..text.IndexOf((byte)' ')], CultureInfo.InvariantCulture) * Environment.SystemPageSize / 1048576.0;
    }

    public static string Text(double value) => value.ToString("F2", CultureInfo.InvariantCulture);

    public static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
