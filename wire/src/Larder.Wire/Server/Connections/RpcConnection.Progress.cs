using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Contains the checks that end requests, responses and connections that progress too slowly (see <see cref="MinimumRate"/>). The timer thread calls them.
/// </summary>
internal sealed partial class RpcConnection
{
    // The maximum time that the timer waits for the end of a turn. A turn is normally much shorter. If it is longer, the next tick checks the streams again.
    private static readonly TimeSpan MaxTurnWait = TimeSpan.FromMilliseconds(20);

    private MinimumRate _sendingRate;
    private bool _watchesSending;
    private long _sentBytes;
    private long _unfinishedSinceMs;

    // The size, in bytes, above which the minimum rate for a tight budget applies. Smaller requests and responses can be transferred within one period at that
    // rate.
    private double MinBytesOfTight => _options.TightRateBytesPerSecond * _options.DataRateGrace.TotalSeconds;

    // Records the time at which the current unfinished frame began. Called by the receiving thread after it has handled all complete frames. Any
    // remaining bytes are then part of an unfinished frame.
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

    private bool IsFrameOverdue(long now)
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

        if (stalled is null || !_turn.TryEnter(MaxTurnWait))
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

    // Returns whether the whole connection sends too slowly. The streams share the connection's window. So while they wait for this window, the progress of the
    // whole connection is checked. The caller must hold the lock.
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

    // Returns whether the response of a stream is sent too slowly. A window that the client occasionally opens by one byte counts as closed. The caller must
    // hold the lock.
    private bool IsAnswerSlow(RpcStream stream, long now, bool isConnectionSlow)
    {
        bool isSlow = IsTooSlow(ref stream.Sending, now, stream.SentBytes, stream.UnsentBytes, _options.ReaderGrace);
        return stream.SendWindow > 0 ? isConnectionSlow : isSlow;
    }

    // Returns whether the request of a stream arrives too slowly. A call between two messages, such as an idle pipeline, may stay open for days. The caller
    // must hold the lock.
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

    private bool IsTooSlow(ref MinimumRate rate, long now, long moved, long heldBytes, TimeSpan grace) =>
        _account.IsTight && heldBytes > MinBytesOfTight
            ? rate.IsTooSlow(now, moved, _options.DataRateGrace, _options.TightRateBytesPerSecond)
            : rate.IsTooSlow(now, moved, grace, _options.MinDataRateBytesPerSecond);
}
