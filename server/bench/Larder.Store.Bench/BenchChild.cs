using System.Globalization;
using Larder.Harness.Processes;
using Microsoft.Win32.SafeHandles;

namespace Larder.Store.Bench;

/// <summary>This program again, in a process of its own, whose memory and pauses are nobody else's.</summary>
internal static class BenchChild
{
    /// <summary>Runs one of the program's child commands and returns the words of its last line.</summary>
    public static string[] Run(params string[] arguments)
    {
        string name = string.Join(' ', arguments);
        ProgramRun run = ProgramRun.Of(ProgramCommand.Dotnet(name, typeof(BenchChild).Assembly.Location, arguments), Timeout.InfiniteTimeSpan);
        return run.Must(name).Trim().Split('\n')[^1].Split(' ');
    }

    /// <summary>Resident memory of a process, in MiB.</summary>
    public static double ResidentMiB(int processId)
    {
        // The second number of statm, in pages; read almost without garbage, which would be resident too.
        using SafeFileHandle file = File.OpenHandle($"/proc/{processId}/statm");
        Span<byte> text = stackalloc byte[256];
        text = text[..RandomAccess.Read(file, text, 0)];
        text = text[(text.IndexOf((byte)' ') + 1)..];
        return long.Parse(text[..text.IndexOf((byte)' ')], CultureInfo.InvariantCulture) * Environment.SystemPageSize / 1048576.0;
    }

    public static string Text(double value) => value.ToString("F2", CultureInfo.InvariantCulture);

    public static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
