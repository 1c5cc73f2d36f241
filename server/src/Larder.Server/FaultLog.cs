using Larder.Server.Metrics;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>
/// Logs internal errors at a limited rate, so that a client that can trigger an error cannot flood the log or slow down the server. At most 10 errors are
/// logged in a burst, and one per second after that. The errors that are not logged are counted, and their number is logged before the next error.
/// </summary>
internal sealed class FaultLog(ILogger logger, ServerMetrics metrics, TimeProvider time)
{
    private const int Burst = 10;
    private static readonly TimeSpan OneMoreEach = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private int _left = Burst;
    private long _filledAt = time.GetTimestamp();
    private long _unsaid;

    /// <summary>Logs that a call failed with an internal error.</summary>
    public void Say(string rpc, Exception error)
    {
        if (MayLog())
        {
            Log.HandlerFault(logger, rpc, error);
        }
    }

    /// <summary>Logs that an internal error ended a connection.</summary>
    public void Say(Exception error)
    {
        if (MayLog())
        {
            Log.ConnectionFault(logger, error);
        }
    }

    private bool MayLog()
    {
        long unsaid;
        lock (_lock)
        {
            Refill();
            if (_left == 0)
            {
                _unsaid++;
                metrics.LogLineDropped();
                return false;
            }

            _left--;
            unsaid = _unsaid;
            _unsaid = 0;
        }

        if (unsaid > 0)
        {
            Log.FaultsUnsaid(logger, unsaid);
        }

        return true;
    }

    private void Refill()
    {
        long seconds = time.GetElapsedTime(_filledAt).Ticks / OneMoreEach.Ticks;
        if (seconds > 0)
        {
            _left = (int)Math.Min(Burst, _left + seconds);
            _filledAt += seconds * time.TimestampFrequency;
        }
    }
}
