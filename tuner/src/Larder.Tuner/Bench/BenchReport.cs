namespace Larder.Tuner.Bench;

/// <summary>
/// The lines of a measurement's report. At the end, they are printed and appended to a file. If the measurement is interrupted, the lines so far are printed
/// and appended.
/// </summary>
internal sealed class BenchReport
{
    // Guards the lines, because an interruption reads them on another thread.
    private readonly Lock _lock = new();
    private readonly List<string> _lines;
    private readonly FileInfo? _output;
    private readonly int _heading;

    /// <summary>Creates a report. If the measurement is interrupted, the lines so far are saved.</summary>
    /// <param name="output">The file to append to, or null.</param>
    /// <param name="heading">The lines before the first measurement.</param>
    public BenchReport(FileInfo? output, params IEnumerable<string> heading)
    {
        (_output, _lines) = (output, [.. heading]);
        _heading = _lines.Count;
        Interruption.Keep = KeepIncomplete;
    }

    public void Add(params IEnumerable<string> lines)
    {
        lock (_lock)
        {
            _lines.AddRange(lines);
        }
    }

    /// <summary>Prints the complete report and appends it to the file.</summary>
    public void Write()
    {
        Interruption.Keep = null;
        Write([]);
    }

    private void KeepIncomplete()
    {
        bool isEmpty;
        lock (_lock)
        {
            isEmpty = _lines.Count == _heading;
        }

        if (isEmpty)
        {
            Console.Error.WriteLine("Interrupted before anything was measured.");
            return;
        }

        Write(["", "Interrupted: this report is incomplete."]);
    }

    private void Write(string[] end)
    {
        string[] lines;
        lock (_lock)
        {
            lines = [.. _lines, .. end];
        }

        Console.WriteLine(string.Join('\n', lines));
        if (_output is not null)
        {
            File.AppendAllLines(_output.FullName, [.. lines, ""]);
        }
    }
}
