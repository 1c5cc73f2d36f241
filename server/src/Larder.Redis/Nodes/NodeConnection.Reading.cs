using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire;

namespace Larder.Redis;

/// <content>
/// Reading. All complete replies of one read are delivered on the thread that read them, and the commands that result from them are sent together.
/// </content>
internal sealed partial class NodeConnection
{
    // The maximum number of commands that are taken from the queue each time the lock is acquired.
    private const int MaxBatch = 256;

    private readonly Action _onReadable;
    private readonly ReplyInput _input = new();
    private readonly Range[] _replies = new Range[MaxBatch];
    private readonly RedisCommand?[] _answered = new RedisCommand?[MaxBatch];
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _readAwaiter;
    private long _answeredCount;
    private long _lateCount;

    /// <summary>Gets the number of replies read.</summary>
    public long Answered => Volatile.Read(ref _answeredCount);

    /// <summary>Gets the number of replies that arrived after the command's deadline.</summary>
    public long Late => Volatile.Read(ref _lateCount);

    private void StartReading()
    {
        try
        {
            if (BeginRead())
            {
                return;
            }
        }
        catch (Exception error) when (IsTransport(error) || error is RpcException)
        {
            End(error);
            return;
        }

        OnReadable();
    }

    // Returns true if the read is pending. In this case, OnReadable will be called.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, by OnReadable.")]
    private bool BeginRead()
    {
        ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter awaiter = _transport!.ReceiveAsync(_input.Room()).ConfigureAwait(false).GetAwaiter();
        _readAwaiter = awaiter;
        if (awaiter.IsCompleted)
        {
            return false;
        }

        awaiter.UnsafeOnCompleted(_onReadable);
        return true;
    }

    [SuppressMessage("Design", "CA1031", Justification = "Whatever it is, nobody else ends the commands.")]
    private void OnReadable()
    {
        try
        {
            do
            {
                int read = _readAwaiter.GetResult();
                if (read == 0)
                {
                    throw new IOException("The node closed the connection.");
                }

                _watchdog.OnHeard();
                _input.Received(read);
                Deliver();
            }
            while (!BeginRead());
        }
        catch (Exception error)
        {
            End(error);
        }
    }

    private void Deliver()
    {
        int count;
        do
        {
            InvalidDataException? broken = Collect(out count);
            int expected = Take(count);
            for (int index = 0; index < expected; index++)
            {
                RedisCommand? command = _answered[index];
                _answered[index] = null;
                Answer(command, _input.At(_replies[index]));
            }

            if (expected < count)
            {
                throw new InvalidDataException("The node sent an unexpected response.");
            }

            if (broken is not null)
            {
                throw broken;
            }
        }
        while (NotifyPush() || count == MaxBatch);
        _context.EndBatch();
    }

    // Collects complete replies. Stops at the maximum number, or at a push message that must be delivered first. If invalid data follows, the valid replies
    // before it are still delivered.
    private InvalidDataException? Collect(out int count)
    {
        count = 0;
        try
        {
            while (count < MaxBatch && !_hasPush && _input.TryTake(out Range value))
            {
                if (!_input.IsPush)
                {
                    _replies[count++] = value;
                }
                else if (_isTracked)
                {
                    KeepPush(value);
                }
            }

            return null;
        }
        catch (InvalidDataException broken)
        {
            return broken;
        }
    }

    // Takes the given number of commands from the queue, or all commands if there are fewer. Returns the number taken.
    private int Take(int count)
    {
        if (count == 0)
        {
            return 0;
        }

        lock (_lock)
        {
            count = Math.Min(count, _expected.Count);
            _expected.TryTake(_answered.AsSpan(0, count));
            EndSample();
        }

        _answeredCount += count;
        return count;
    }

    private void Answer(RedisCommand? command, ReadOnlySpan<byte> bytes)
    {
        if (command is null)
        {
            _lateCount++;
            return;
        }

        if (command == AskingCommand.Instance)
        {
            // The reply is OK. If there is an error, the reply to the following command reports it.
            return;
        }

        if (_isTracked && TakeTtl(command, bytes))
        {
            return;
        }

        RespReader reply = new(bytes);
        if (reply.Kind == RespKind.Error)
        {
            _owner.OnError(command, reply.Bytes);
        }
        else
        {
            _context.Answer(command, ref reply);
        }
    }
}
