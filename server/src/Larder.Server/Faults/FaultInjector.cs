using System.Collections.Concurrent;
using Larder.Server.Calls;

namespace Larder.Server.Faults;

/// <summary>Decides the faults for calls that carry a <see cref="FaultScript"/>, and counts them.</summary>
internal sealed class FaultInjector
{
    // The limit of a test's counters. Beyond it all are cleared, so that a long run does not use ever more memory.
    private const int MaxCounters = 10_000;

    private readonly ConcurrentDictionary<(string RequestId, string Rpc, string Fault), int> _counts = new();

    /// <summary>Returns the fault for the next call of <paramref name="rpc"/> under this script.</summary>
    public FaultDecision Decide(FaultScript script, string rpc)
    {
        bool delays = script.DelayRpcs.Contains(rpc) && Take(script.RequestId, rpc, "delay", script.DelayCount);
        bool fails = script.Error is not null && script.ErrorRpcs.Contains(rpc) && Take(script.RequestId, rpc, "error", script.ErrorCount);
        return new FaultDecision(delays ? script.Delay : TimeSpan.Zero, fails ? script.Error : null);
    }

    private bool Take(string requestId, string rpc, string fault, int limit)
    {
        if (limit == int.MaxValue)
        {
            return true;
        }

        if (_counts.Count >= MaxCounters)
        {
            _counts.Clear();
        }

        return _counts.AddOrUpdate((requestId, rpc, fault), 1, static (_, count) => count + 1) <= limit;
    }
}
