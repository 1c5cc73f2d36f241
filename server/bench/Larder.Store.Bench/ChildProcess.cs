using System.Diagnostics;
using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Larder.Store.Bench;

/// <summary>This program again, in a process of its own, whose memory and pauses are nobody else's.</summary>
internal static class ChildProcess
{
    /// <summary>Runs one of the program's child commands and returns the words of its last line.</summary>
    public static string[] Run(params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(typeof(ChildProcess).Assembly.Location);
        }

        Array.ForEach(arguments, start.ArgumentList.Add);
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        return process.ExitCode == 0 ? output.Split('\n')[^1].Split(' ') : throw new InvalidOperationException($"{string.Join(' ', arguments)} failed.");
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
