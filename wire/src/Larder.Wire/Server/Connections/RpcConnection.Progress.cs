using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Ends what moves too slowly, in either direction: see <see cref="RateOfProgress"/>. Called by the clock's thread.</summary>
internal sealed partial class RpcConnection
{
    // A turn is shorter by far; where one is not, the next tick finds the streams again.
    private static readonly TimeSpan TurnPatience = TimeSpan.FromMilliseconds(20);

    private RateOfProgress _sendingRate;
    private bool _watchesSending;
    private long _sentBytes;
    private long _unfinishedSinceMs;

    // The tight rate is asked of what could not have been done with in its grace.
    private double LeastBytesOfTight => _options.TightRateBytesPerSecond * _options.DataRateGrace.TotalSeconds;

    // On the receiving thread, at a turn's end: a frame whose end has not come is a begun one.
    private void NoteUnfinishedFrame(bool isWhole)
    {
        if (_received.Unread.IsEmpty)
        {
            Volatile.Write(ref _unfinishedSinceMs, 0);
        }
        else if (isWhole || Volatile.Read(ref _unfinishedSinceMs) == 0)
        {
            Volatile.Write(ref _unfinishedSinceMs, NowMs);
        }
    }

    private bool LeavesFrameUnfinished(long now)
    {
        long since = Volatile.Read(ref _unfinishedSinceMs);
        return since != 0 && now - since > _options.ReaderGrace.TotalMilliseconds;
    }

    private void ResetStalledStreams(long now)
    {
        List<RpcStream>? stalled = null;
        lock (_lock)
        {
            bool isConnectionSlow = IsConnectionSlow(now);
            foreach (RpcStream stream in _streams.Values)
            {
                if ((stream.IsBlocked && IsAnswerSlow(stream, now, isConnectionSlow)) || IsRequestSlow(stream, now) || IsEndSlow(stream, now))
                {
                    (stalled ??= []).Add(stream);
                }
            }
        }

        if (stalled is null || !_turn.TryEnter(TurnPatience))
        {
            return;
        }

        try
        {
            stalled.ForEach(stream => ResetStream(stream, Http2ErrorCode.Cancel));
        }
        finally
        {
            _turn.Exit();
        }
    }

    // Under the lock. Streams wait for the connection's window in turn: then it is the connection that must move.
    private bool IsConnectionSlow(long now)
    {
        bool watches = _blocked.Count > 0;
        if (watches && !_watchesSending)
        {
            _sendingRate.Begin(now, _sentBytes);
        }

        _watchesSending = watches;
        return watches && IsTooSlow(ref _sendingRate, now, _sentBytes, _unsentBytes, _options.ReaderGrace);
    }

    // Under the lock. A window that is open now and then by a byte is a closed one.
    private bool IsAnswerSlow(RpcStream stream, long now, bool isConnectionSlow)
    {
        bool isSlow = IsTooSlow(ref stream.Sending, now, stream.SentBytes, stream.UnsentBytes, _options.ReaderGrace);
        return stream.SendWindow > 0 ? isConnectionSlow : isSlow;
    }

    // Under the lock. What is open without a beginning (a pipeline between two messages) may be so for days.
    private bool IsRequestSlow(RpcStream stream, long now)
    {
        bool isDuplex = stream.Route is DuplexRoute;
        bool arrives = isDuplex ? stream.Input.HasUnfinished : !stream.HasStarted && !stream.Input.IsEnded;
        if (arrives && !stream.IsArriving)
        {
            stream.Arriving.Begin(isDuplex ? now : stream.StartedAtMs, isDuplex ? stream.ReceivedBytes : 0);
        }

        stream.IsArriving = arrives;
        return arrives
            && IsTooSlow(ref stream.Arriving, now, stream.ReceivedBytes, stream.Input.HeldBytes, isDuplex ? _options.ReaderGrace : _options.DataRateGrace);
    }

    private bool IsTooSlow(ref RateOfProgress rate, long now, long moved, long heldBytes, TimeSpan grace) =>
        _account.IsTight && heldBytes > LeastBytesOfTight
            ? rate.IsTooSlow(now, moved, _options.DataRateGrace, _options.TightRateBytesPerSecond)
            : rate.IsTooSlow(now, moved, grace, _options.MinDataRateBytesPerSecond);
}
