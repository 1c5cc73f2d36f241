using System.IO.Pipelines;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>The methods that collect responses and send them.</content>
internal sealed partial class RemoteStream
{
    private readonly DuplexStream _stream;
    private readonly PipeWriter _output;
    private readonly Action _abort;

    // The lock guards all fields below.
    private readonly Lock _gate = new();
    private readonly ReplyBuffer _replies;
    private readonly ReplyBacklog _backlog;
    private readonly Stack<RemoteCommand> _returned = new();
    private CancellationToken _cancelled;
    private Task _flushing = Task.CompletedTask;
    private TaskCompletionSource? _waiting;
    private Func<RemoteStream, bool>? _awaited;
    private int _unflushedBytes;
    private int _keptBytes;
    private bool _isFlushing;
    private bool _isInBatch;
    private bool _hasEnded;

    // Only the reading loop changes the begun counters. The threads that write responses change the answered counters, under the lock.
    private long _begunCalls;
    private long _begunBytes;
    private long _answeredCalls;
    private long _answeredBytes;

    /// <summary>
    /// Gets whether a limit is reached: the number or the size of the outstanding calls, or the size of the responses that wait for the client.
    /// </summary>
    private bool IsFull =>
        _begunCalls - Volatile.Read(ref _answeredCalls) >= FleetLimits.MaxOutstanding
        || _begunBytes - Volatile.Read(ref _answeredBytes) >= FleetLimits.MaxOutstandingBytes
        || _backlog.Bytes >= PipelineLimits.MaxPendingBytes;

    // Whether the reading loop may resume. The outstanding calls must first fall to half of their limits, so that the loop does not resume for every single
    // response.
    private bool HasRoom =>
        _begunCalls - _answeredCalls <= FleetLimits.MaxOutstanding / 2
        && _begunBytes - _answeredBytes <= FleetLimits.MaxOutstandingBytes / 2
        && _backlog.Bytes < PipelineLimits.MaxPendingBytes;

    private bool IsIdle => _begunCalls == _answeredCalls && !_isFlushing && !_replies.HasResults && _backlog.Bytes == 0;

    /// <inheritdoc/>
    public override object Owner => _stream.Connection;

    /// <inheritdoc/>
    public override bool IsGone => Volatile.Read(ref _hasEnded) || _cancelled.IsCancellationRequested;

    /// <summary>Sets the token that is cancelled when the client disconnects. The cancellation ends a flush that waits for the client.</summary>
    public void Begin(CancellationToken cancelled) => _cancelled = cancelled;

    /// <summary>Sends the commands of this turn. If a limit is reached, waits until it is no longer reached.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected.</exception>
    public ValueTask EndTurnAsync()
    {
        _gateway.Store.Flush();
        return IsFull ? new ValueTask(WaitUntilAsync(static stream => stream.HasRoom)) : ValueTask.CompletedTask;
    }

    /// <summary>Notifies the client that the server is shutting down.</summary>
    public void WriteDraining()
    {
        lock (_gate)
        {
            _replies.WriteDraining();
            JoinBatch();
        }
    }

    /// <summary>Waits until all calls have completed and their responses have been flushed.</summary>
    public Task CompleteAsync() => WaitUntilAsync(static stream => stream.IsIdle);

    /// <summary>Ends the stream. Later responses are dropped. When the returned task has completed, nothing accesses the stream any longer.</summary>
    public async Task EndAsync()
    {
        Task flushing;
        lock (_gate)
        {
            _hasEnded = true;
            flushing = _flushing;
            if (_isFlushing)
            {
                _output.CancelPendingFlush();
            }

            _replies.LetGo();
            _backlog.LetGo();
            _stream.Release(_keptBytes);
            _keptBytes = 0;
        }

        await flushing.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override void OnReply(RemoteCommand command, ref RespReader reply)
    {
        if (reply.Frame.Length > LargeReply.LargeBytes && command.Field != PipelineCalls.GetField)
        {
            // Hashing a large value and writing many elements are slow, so they must not run on the thread that reads from the node.
            LargeReply large = new(reply.Frame);
            ThreadPool.UnsafeQueueUserWorkItem(
                static call => call.Stream.TakeLarge(call.Command, call.Large),
                (Stream: this, Command: command, Large: large),
                preferLocal: false);
        }
        else
        {
            Take(command, ref reply);
        }
    }

    private void TakeLarge(RemoteCommand command, LargeReply large)
    {
        RespReader reply = large.Read();
        command.Call!.Digest(command, reply);
        Take(command, ref reply);
        _gateway.Store.Flush();
        large.LetGo();
    }

    private void Take(RemoteCommand command, ref RespReader reply)
    {
        CallError? error;
        lock (_gate)
        {
            error = _hasEnded ? null : Write(command, ref reply);
            if (!ReferenceEquals(error, RemoteCall.Again))
            {
                Ended(command);
            }
        }

        if (ReferenceEquals(error, RemoteCall.Again))
        {
            command.Start(_gateway);
        }
    }

    /// <inheritdoc/>
    public override void OnFailure(RemoteCommand command, RedisFailure failure)
    {
        CallError error = FleetErrors.Of(failure);
        lock (_gate)
        {
            if (!_hasEnded)
            {
                WriteError(command, error);
            }

            Ended(command);
        }
    }

    /// <inheritdoc/>
    public override void OnJoined(RemoteCommand command)
    {
        lock (_gate)
        {
            if (!_hasEnded)
            {
                WriteJoined(command);
            }

            Ended(command);
        }
    }

    /// <inheritdoc/>
    public void OnBatchEnd()
    {
        lock (_gate)
        {
            _isInBatch = false;
            Flush();
            WakeIfSo();
        }
    }

    private void Ended(RemoteCommand command)
    {
        _answeredBytes += command.RequestBytes;
        Volatile.Write(ref _answeredCalls, _answeredCalls + command.Weight);
        LetGo(command);
        _returned.Push(command);
        WakeIfSo();
    }

    // The output is sent at the end of this thread's batch of replies. If the stream is already registered in the batch of another thread, the output is sent
    // at the end of that batch.
    private void JoinBatch()
    {
        if (!_isInBatch)
        {
            _isInBatch = true;
            ReplyBatches.Add(this);
        }
    }

    private void EmitIfFull()
    {
        if (_replies.IsFull)
        {
            Emit();
        }
    }

    // The output includes the pending invalidations of a near stream.
    private void Emit()
    {
        WriteNear();
        if (_replies.HasResults)
        {
            EmitMessage();
        }
    }

    private void EmitMessage()
    {
        if (_isFlushing || _backlog.Bytes > 0)
        {
            _replies.Emit(_backlog);
        }
        else
        {
            _unflushedBytes += _replies.Emit(_output);
        }
    }

    private void Flush()
    {
        if (_hasEnded || _isFlushing)
        {
            return;
        }

        try
        {
            Emit();
            do
            {
                FlushOnce();
            }
            while (!_isFlushing && _backlog.Bytes > 0);
        }
        catch (RpcException)
        {
            // There is not enough memory for the pending output, so the stream is aborted.
            _abort();
        }
    }

    private void FlushOnce()
    {
        // Moves only a part of the buffered output at a time, which limits the memory that the output itself uses.
        _unflushedBytes += _backlog.MoveTo(_output, PipelineLimits.MaxPendingBytes);
        if (_unflushedBytes == 0)
        {
            return;
        }

        _unflushedBytes = 0;
        ValueTask<FlushResult> flush = _output.FlushAsync(_cancelled);
        // The error is ignored here, because the reading loop detects that the client has disconnected.
        if (flush.IsCompletedSuccessfully)
        {
            _ = flush.Result;
        }
        else
        {
            _isFlushing = true;
            _flushing = AwaitFlushAsync(flush);
        }
    }

    private async Task AwaitFlushAsync(ValueTask<FlushResult> flush)
    {
        bool isGone;
        try
        {
            FlushResult result = await flush.AsTask().WaitAsync(PipelineLimits.SlowReaderGrace, _gateway.TimeProvider).ConfigureAwait(false);
            isGone = result.IsCompleted || result.IsCanceled;
        }
        catch (TimeoutException)
        {
            _abort();
            isGone = true;
        }
        catch (OperationCanceledException)
        {
            isGone = true;
        }

        lock (_gate)
        {
            _isFlushing = false;
            if (!isGone && !_hasEnded)
            {
                Flush();
            }

            WakeIfSo();
        }
    }

    private void WakeIfSo()
    {
        if (_waiting is { } waiting && _awaited!(this))
        {
            _waiting = null;
            waiting.TrySetResult();
        }
    }

    // The reading loop calls this method without the lock.
    private async Task WaitUntilAsync(Func<RemoteStream, bool> isSo)
    {
        TaskCompletionSource waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (isSo(this))
            {
                return;
            }

            _awaited = isSo;
            _waiting = waiting;
        }

        await waiting.Task.WaitAsync(_cancelled).ConfigureAwait(false);
    }

    // Called without the lock. Returns completed commands to the pool of the reading loop.
    private void TakeIdle()
    {
        lock (_gate)
        {
            while (_returned.TryPop(out RemoteCommand? command))
            {
                _idle.Push(command);
            }
        }
    }
}
