using System.IO.Pipelines;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>How answers are gathered and leave.</content>
internal sealed partial class RemoteStream
{
    private readonly DuplexStream _stream;
    private readonly PipeWriter _output;
    private readonly Action _abort;

    // What follows changes under the gate alone.
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

    // Of the loop that reads; and of the threads that answer, under the gate.
    private long _begunCalls;
    private long _begunBytes;
    private long _answeredCalls;
    private long _answeredBytes;

    /// <summary>True at the bound of what may be outstanding, or of answers that the client has not taken.</summary>
    private bool IsFull =>
        _begunCalls - Volatile.Read(ref _answeredCalls) >= FleetLimits.MaxOutstanding
        || _begunBytes - Volatile.Read(ref _answeredBytes) >= FleetLimits.MaxOutstandingBytes
        || _backlog.Bytes >= PipelineLimits.MaxPendingBytes;

    // Half: the loop is not woken for each answer.
    private bool HasRoom =>
        _begunCalls - _answeredCalls <= FleetLimits.MaxOutstanding / 2
        && _begunBytes - _answeredBytes <= FleetLimits.MaxOutstandingBytes / 2
        && _backlog.Bytes < PipelineLimits.MaxPendingBytes;

    private bool IsIdle => _begunCalls == _answeredCalls && !_isFlushing && !_replies.HasResults && _backlog.Bytes == 0;

    /// <inheritdoc/>
    public override object Owner => _stream.Connection;

    /// <inheritdoc/>
    public override bool IsGone => Volatile.Read(ref _hasEnded) || _cancelled.IsCancellationRequested;

    /// <summary>The client's going away: what ends a flush that waits for it.</summary>
    public void Begin(CancellationToken cancelled) => _cancelled = cancelled;

    /// <summary>Sends what the turn has begun and answered, and waits while the bounds are reached.</summary>
    /// <exception cref="OperationCanceledException">The client is gone.</exception>
    public ValueTask EndTurnAsync()
    {
        _front.Store.Flush();
        return IsFull ? new ValueTask(WaitUntilAsync(static stream => stream.HasRoom)) : ValueTask.CompletedTask;
    }

    /// <summary>Writes that the server is going away.</summary>
    public void WriteDraining()
    {
        lock (_gate)
        {
            _replies.WriteDraining();
            JoinBatch();
        }
    }

    /// <summary>Waits until everything that was begun is answered and flushed.</summary>
    public Task CompleteAsync() => WaitUntilAsync(static stream => stream.IsIdle);

    /// <summary>Ends: answers that come later are dropped. Nothing of the stream is touched once the task has ended.</summary>
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
            // To hash it or to write so many elements is long work: not on the thread that reads from the node.
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
        _front.Store.Flush();
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
            command.Start(_front);
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

    // What was written leaves at the end of this thread's batch, or of that of another thread which is in one.
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

    // With what a near stream is to be told.
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
            // There is no memory for what waits: the stream is over.
            _abort();
        }
    }

    private void FlushOnce()
    {
        // Not all at once: the output would hold it a second time.
        _unflushedBytes += _backlog.MoveTo(_output, PipelineLimits.MaxPendingBytes);
        if (_unflushedBytes == 0)
        {
            return;
        }

        _unflushedBytes = 0;
        ValueTask<FlushResult> flush = _output.FlushAsync(_cancelled);
        // Whether the client is gone is the reading loop's to find.
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
            FlushResult result = await flush.AsTask().WaitAsync(PipelineLimits.SlowReaderGrace, _front.TimeProvider).ConfigureAwait(false);
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

    // Of the loop that reads, not under the gate.
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

    // Not under the gate: what has ended since goes back to the loop that begins.
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
