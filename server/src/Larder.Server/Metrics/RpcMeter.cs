using Larder.Wire;

namespace Larder.Server.Metrics;

/// <summary>The metrics of one rpc over one transport: the latencies in the server, the number of results by status, and the number of bytes.</summary>
/// <param name="rpc">The rpc's name.</param>
/// <param name="transport">The transport: <c>unary</c> or <c>pipeline</c>.</param>
internal sealed class RpcMeter(string rpc, string transport)
{
    // The gRPC status codes are 0 to 16.
    private readonly long[] _byStatus = new long[17];

    public string Rpc { get; } = rpc;

    public string Transport { get; } = transport;

    public LatencyHistogram Latency { get; } = new();

    /// <summary>Gets the number of bytes of all requests.</summary>
    public StripedCount Received { get; } = new();

    /// <summary>Gets the number of bytes of all responses.</summary>
    public StripedCount Sent { get; } = new();

    /// <summary>Counts calls with the same status and duration.</summary>
    public void Record(StatusCode status, TimeSpan elapsed, long count = 1)
    {
        Latency.Record((long)elapsed.TotalNanoseconds, count);
        if (status != StatusCode.Ok)
        {
            Interlocked.Add(ref _byStatus[(int)status], count);
        }
    }

    /// <summary>Counts bytes of received requests and written responses.</summary>
    public void Moved(long received, long sent)
    {
        Received.Add(received);
        Sent.Add(sent);
    }

    /// <summary>Returns the number of failures for each status. Statuses that did not occur are omitted.</summary>
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
