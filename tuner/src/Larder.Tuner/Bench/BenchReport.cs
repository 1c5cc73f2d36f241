namespace Larder.Tuner.Bench;

/// <summary>The lines of a measurement's report. They are shown and added to a file at the end; an interruption shows and adds those that are there.</summary>
internal sealed class BenchReport
{
    // Guards the lines: an interruption reads them on another thread.
    private readonly Lock _lock = new();
    private readonly List<string> _lines;
    private readonly FileInfo? _output;
    private readonly int _heading;

    /// <summary>Creates a report that an interruption keeps.</summary>
    /// <param name="output">The file that it is added to; null for none.</param>
    /// <param name="heading">The lines before the first measurement.</param>
    public BenchReport(FileInfo? output, params IEnumerable<string> heading)
    {
        (_output, _lines) = (output, [.. heading]);
        _heading = _lines.Count;
        Interruption.Keep = KeepIncomplete;
    }

    /// <summary>Adds lines.</summary>
    public void Add(params IEnumerable<string> lines)
    {
        lock (_lock)
        {
            _lines.AddRange(lines);
        }
    }

    /// <summary>Shows the complete report and adds it to the file.</summary>
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
            Console.Error.WriteLine("Nothing was measured yet.");
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
