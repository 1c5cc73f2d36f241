using System.Globalization;

namespace Larder.Conformance.Hostile;

/// <summary>How much a process's resident memory rises at its highest from here on, as the kernel counts it; nothing where it does not tell.</summary>
internal sealed class PeakMemory
{
    private readonly int _processId;
    private readonly long _before;

    public PeakMemory(int processId)
    {
        _processId = processId;
        // 5 sets the highest mark back to what is resident now (proc(5)).
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
