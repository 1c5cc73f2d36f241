using System.Globalization;

namespace Larder.Conformance.Hostile;

/// <summary>Measures the increase of the resident memory of a process, from the start of the measurement to the peak. The kernel reports both values.</summary>
internal sealed class PeakMemory
{
    private readonly int _processId;
    private readonly long _before;

    public PeakMemory(int processId)
    {
        _processId = processId;
        // Writing "5" to the file resets the peak to the current resident size (see proc(5)).
        File.WriteAllText($"/proc/{processId}/clear_refs", "5");
        _before = Read("VmRSS:");
    }

    public long GrownBytes() => Read("VmHWM:") - _before;

    private long Read(string name) =>
        File.ReadLines($"/proc/{_processId}/status")
            .First(line => line.StartsWith(name, StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)
            is [_, var kilobytes, ..]
            ? long.Parse(kilobytes, CultureInfo.InvariantCulture) << 10
            : 0;
}
