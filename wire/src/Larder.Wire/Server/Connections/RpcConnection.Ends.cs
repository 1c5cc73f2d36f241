using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>Contains the code that ends calls. A call is completed, rejected, reset, or cancelled by its client.</summary>
internal sealed partial class RpcConnection
{
    /// <summary>Sends the rest of the response after the handler has ended. Can be called on any thread.</summary>
    public void Finish(RpcStream stream)
    {
        bool mustPump;
        lock (_lock)
        {
            if (stream.IsAborted || _hasEnded)
            {
                Remove(stream);
            }
            else if (stream.TryMove(RpcStreamPhase.Answering))
            {
                Send(stream);
            }

            mustPump = _pump.TryWake();
        }

        PumpIf(mustPump);
    }

    private void RefuseFields(RpcStream stream)
    {
        if (TryStart(stream))
        {
            string reason = $"The call has too many metadata fields; at most {RequestHead.MaxFields} are allowed.";
            _router.Refuse(stream.Call, new Status(StatusCode.ResourceExhausted, reason));
        }
    }

    private void Refuse(RpcStream stream, string httpStatus)
    {
        lock (_lock)
        {
            _block.Reset(BlockBytes);
            _answers.WriteRefusal(_block, httpStatus);
            Gathered.AddHeaders(stream.Id, _block.WrittenSpan, [], endsStream: true, _maxFrameBytes);
            if (!stream.Input.IsEnded)
            {
                Gathered.AddReset(stream.Id, Http2ErrorCode.NoError);
                _closed.OnEnded(stream.Id);
            }

            Remove(stream);
        }
    }

    /// <summary>Resets a stream immediately from the server's side.</summary>
    public void ResetStream(RpcStream stream, Http2ErrorCode code)
    {
        bool mustPump = false;
        lock (_lock)
        {
            if (!stream.IsRemoved && !stream.IsAborted && !_hasEnded)
            {
                Gathered.AddReset(stream.Id, code);
                _closed.OnEnded(stream.Id);
                mustPump = _pump.TryWake();
            }
        }

        Abandon(stream, "The server reset the stream.");
        PumpIf(mustPump);
    }

    // Marks a stream as abandoned by the client or the server. While its handler is still running, the call counts as an abandoned call.
    private void Abandon(RpcStream stream, string reason)
    {
        lock (_lock)
        {
            if (stream.IsRemoved)
            {
                return;
            }

            bool wasRunning = stream.IsRunning;
            bool isFirst = stream.TryMove(RpcStreamPhase.Abandoned);
            Unblock(stream);
            stream.Output.EndFlush(isCompleted: true);
            stream.Push?.Over();
            if (isFirst)
            {
                _abandonedCalls++;
            }

            if (!wasRunning)
            {
                Remove(stream);
            }
        }

        stream.Abort(reason);
    }

    // Removes a stream from the connection when it has ended. The caller must hold the lock.
    private void Remove(RpcStream stream)
    {
        if (stream.IsRemoved)
        {
            return;
        }

        bool wasAborted = stream.IsAborted;
        stream.TryMove(wasAborted ? RpcStreamPhase.Gone : RpcStreamPhase.Idle);
        _streams.Remove(stream.Id);
        if (wasAborted)
        {
            _abandonedCalls--;
        }

        Unblock(stream);
        _router.Observer?.OnStreamClosed();

        if (_streams.Count == 0)
        {
            _idleSinceMs = NowMs;
        }

        Recycle(stream);
    }

    private void WriteReset(int id, Http2ErrorCode code)
    {
        lock (_lock)
        {
            Gathered.AddReset(id, code);
            _closed.OnEnded(id);
        }
    }
}
