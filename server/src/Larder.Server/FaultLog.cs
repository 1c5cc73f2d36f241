using Larder.Server.Metrics;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>
/// Logs faults of the server's own. Whoever finds a way to cause one must not fill the log, or have its writing cost more than the calls: ten are said at once,
/// and one a second after that. The others are counted, and the next that is said says how many.
/// </summary>
internal sealed class FaultLog(ILogger logger, ServerMetrics metrics, TimeProvider time)
{
    private const int Burst = 10;
    private static readonly TimeSpan OneMoreEach = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private int _left = Burst;
    private long _filledAt = time.GetTimestamp();
    private long _unsaid;

    /// <summary>A call failed inside the server.</summary>
    public void Say(string rpc, Exception error)
    {
        if (MaySay())
        {
            Log.HandlerFault(logger, rpc, error);
        }
    }

    /// <summary>A connection was ended by a fault of the server's own.</summary>
    public void Say(Exception error)
    {
        if (MaySay())
        {
            Log.ConnectionFault(logger, error);
        }
    }

    private bool MaySay()
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
