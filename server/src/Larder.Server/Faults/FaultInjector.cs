using System.Collections.Concurrent;
using Larder.Server.Calls;

namespace Larder.Server.Faults;

/// <summary>Decides which faults to inject into calls that have a <see cref="FaultScript"/>, and counts the injected faults.</summary>
internal sealed class FaultInjector
{
    // The maximum number of counters. When it is reached, all counters are cleared, so that a long test run does not use more and more memory.
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
