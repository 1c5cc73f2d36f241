using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Contains the periodic checks. The server calls them twice a second, on any thread.</summary>
internal sealed partial class RpcConnection
{
    private static readonly byte[] KeepAlivePayload = "larder01"u8.ToArray();
    private static readonly byte[] ClosingPayload = "larder02"u8.ToArray();

    private long _pingedMs;
    private long _idleSinceMs;
    private long _closingSinceMs;
    private bool _isClosing;
    private bool _isClosed;

    /// <summary>Checks the connection. Closes it if the client is too slow, silent or idle.</summary>
    public void Tick()
    {
        long now = NowMs;
        if (_hasEnded || _isGone)
        {
            return;
        }

        if (IsTooSlow(now))
        {
            Abort();
            return;
        }

        KeepAlive(now);
        ResetStalledStreams(now);
        TrimIfIdle(now);
        if (Volatile.Read(ref _closingSinceMs) != 0)
        {
            CloseIfQuiet(now);
        }
        else if (now - Volatile.Read(ref _idleSinceMs) > _options.IdleTimeout.TotalMilliseconds && _streams.Count == 0)
        {
            CloseGently();
        }
    }

    /// <summary>Asks the client to open no more calls on this connection. The connection ends when the current calls have ended.</summary>
    public void CloseGently()
    {
        bool mustPump;
        lock (_lock)
        {
            if (_closingSinceMs != 0 || _hasEnded)
            {
                return;
            }

            // The first GOAWAY contains the maximum stream id, so calls that the client sends before it receives this GOAWAY are still processed. After the
            // client has received it, a second GOAWAY contains the id of the last stream.
            _closingSinceMs = NowMs;
            _held?.TrySetResult();
            if (!_hasOpened)
            {
                // No GOAWAY is sent yet, because the settings must be the first frame (RFC 9113, section 3.4). They are sent after the client's first bytes.
                return;
            }

            SendClosingGoAway();
            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    private void SendClosingGoAway()
    {
        Gathered.AddGoAway(Http2ErrorCode.NoError, int.MaxValue);
        Gathered.AddPing(ClosingPayload, isAnswer: false);
    }

    private void OnPingAnswer()
    {
        Volatile.Write(ref _pingedMs, 0);
        if (Volatile.Read(ref _closingSinceMs) != 0)
        {
            SendLastStreamId();
        }
    }

    private void SendLastStreamId()
    {
        bool mustPump = false;
        lock (_lock)
        {
            if (!_isClosed)
            {
                _isClosed = true;
                Gathered.AddGoAway(Http2ErrorCode.NoError, _lastStreamId);
                mustPump = _pump.TryWake();
            }
        }

        PumpIf(mustPump);
        CloseIfQuiet(NowMs);
    }

    private void CloseIfQuiet(long now)
    {
        const int longestAnswerMs = 1_000;
        bool isQuiet;
        lock (_lock)
        {
            if (!_isClosed)
            {
                if (now - _closingSinceMs < longestAnswerMs)
                {
                    return;
                }

                _isClosed = true;
                if (_hasOpened)
                {
                    Gathered.AddGoAway(Http2ErrorCode.NoError, _lastStreamId);
                }
            }

            isQuiet = _streams.Count == 0;
        }

        if (isQuiet && !_isClosing)
        {
            _isClosing = true;
            _ = CloseTransportAsync();
        }
    }

    // The client receives the end of the data and closes its side. This ends the receive loop.
    private async Task CloseTransportAsync()
    {
        try
        {
            bool mustPump;
            lock (_lock)
            {
                mustPump = _pump.TryWake();
            }

            PumpIf(mustPump);
            await WaitUntilSentAsync().ConfigureAwait(false);
            await Task.Delay(TimeSpan.FromSeconds(1)).ConfigureAwait(false);
        }
        catch (Exception error) when (IsGone(error) || error is TimeoutException)
        {
            // The connection has already ended.
        }

        Abort();
    }

    private bool IsTooSlow(long now)
    {
        double opening = _options.RequestHeadersTimeout.TotalMilliseconds;
        long blockSince = _frames.BlockSinceMs;
        long sendingSince = _pump.SendingSinceMs;
        return (!_frames.HasSettings && now - _openedMs > opening)
            || (blockSince != 0 && now - blockSince > opening)
            || IsFrameOverdue(now)
            || (sendingSince != 0 && now - sendingSince > _options.ReaderGrace.TotalMilliseconds);
    }

    private void KeepAlive(long now)
    {
        long pinged = Volatile.Read(ref _pingedMs);
        long received = Volatile.Read(ref _lastReceivedMs);
        if (pinged != 0)
        {
            if (received >= pinged)
            {
                Volatile.Write(ref _pingedMs, 0);
            }
            else if (now - pinged > _options.KeepAlivePingTimeout.TotalMilliseconds)
            {
                Abort();
            }

            return;
        }

        if (_options.KeepAlivePingDelay > TimeSpan.Zero && now - received > _options.KeepAlivePingDelay.TotalMilliseconds && _frames.HasSettings)
        {
            bool mustPump;
            lock (_lock)
            {
                Gathered.AddPing(KeepAlivePayload, isAnswer: false);
                mustPump = _pump.TryWake();
            }

            Volatile.Write(ref _pingedMs, now);
            PumpIf(mustPump);
        }
    }
}
