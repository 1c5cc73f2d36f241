using Larder.Wire;

namespace Larder.Server.Metrics;

/// <summary>What one rpc over one transport has done: its latencies in the server, its answers by status, and its bytes.</summary>
/// <param name="rpc">The rpc's name.</param>
/// <param name="transport"><c>unary</c> or <c>pipeline</c>.</param>
internal sealed class RpcMeter(string rpc, string transport)
{
    // The gRPC codes run from 0 to 16.
    private readonly long[] _byStatus = new long[17];

    public string Rpc { get; } = rpc;

    public string Transport { get; } = transport;

    public LatencyHistogram Latency { get; } = new();

    /// <summary>Bytes of requests.</summary>
    public StripedCount Received { get; } = new();

    /// <summary>Bytes of answers.</summary>
    public StripedCount Sent { get; } = new();

    /// <summary>Counts answers of one status that took the same time.</summary>
    public void Record(StatusCode status, TimeSpan elapsed, long count = 1)
    {
        Latency.Record((long)elapsed.TotalNanoseconds, count);
        if (status != StatusCode.Ok)
        {
            Interlocked.Add(ref _byStatus[(int)status], count);
        }
    }

    /// <summary>Counts the bytes of requests that arrived and of answers that were written.</summary>
    public void Moved(long received, long sent)
    {
        Received.Add(received);
        Sent.Add(sent);
    }

    /// <summary>The failures so far by status; only those that occurred.</summary>
    public IReadOnlyDictionary<StatusCode, long> Failures()
    {
        Dictionary<StatusCode, long> failures = [];
        for (int code = 1; code < _byStatus.Length; code++)
        {
            long count = Volatile.Read(ref _byStatus[code]);
            if (count != 0)
            {
                failures[(StatusCode)code] = count;
            }
        }

        return failures;
    }
}
