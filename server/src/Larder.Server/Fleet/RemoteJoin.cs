using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// A call of many parts, each a command of its own on the node of its key, at most <see cref="AtOnce"/> at once. The first failure ends it:
/// nothing more is sent, and it is told when what was sent has ended.
/// </summary>
/// <param name="whole">The call that is joined.</param>
internal abstract class RemoteJoin(RemoteCommand whole) : RemoteCaller
{
    private readonly Lock _lock = new();
    private RemoteFront? _front;
    private uint _begun;
    private int _inFlight;
    private bool _isSending;
    private bool _hasEnded;
    private bool _hasRun;
    private CallError? _error;

    public sealed override object Owner => whole.Caller.Owner;

    public sealed override bool IsGone => whole.Caller.IsGone;

    /// <summary>The call that is joined.</summary>
    protected RemoteCommand Whole => whole;

    /// <summary>True once no more parts are wanted, though there are some.</summary>
    protected virtual bool IsEnough => false;

    /// <summary>Parts that are sent before one is answered: 1 or more.</summary>
    protected virtual int AtOnce => FleetLimits.PartsAtOnce;

    /// <summary>The effort of the next part, unless <see cref="BeginNext"/> says otherwise.</summary>
    protected virtual Effort PartEffort => Effort.Small;

    /// <summary>About how many bytes the answer has, where they may be many. Asked once all has ended.</summary>
    public virtual int AnswerBytes => 0;

    /// <summary>Begins to send parts.</summary>
    public void Start(RemoteFront front)
    {
        _front = front;
        SendMore();
    }

    /// <summary>How it has ended: null on success.</summary>
    public CallError? Outcome => _error is null ? null : FleetErrors.OfPart(_error, _hasRun);

    /// <summary>Writes the joined answer, once all has ended.</summary>
    /// <param name="response">Takes the response message; untouched where the call fails.</param>
    /// <returns>Null on success.</returns>
    public CallError? Answer(IBufferWriter<byte> response) => Outcome ?? Write(response);

    public sealed override void OnReply(RemoteCommand command, ref RespReader reply)
    {
        lock (_lock)
        {
            _hasRun = true;
            Take((int)command.Id, ref reply);
            End(command);
        }

        SendMore();
    }

    public sealed override void OnFailure(RemoteCommand command, RedisFailure failure)
    {
        lock (_lock)
        {
            _hasRun |= !failure.NotExecuted;
            _error ??= FleetErrors.Of(failure);
            End(command);
        }

        SendMore();
    }

    public sealed override void OnJoined(RemoteCommand command) => throw new InvalidOperationException("a part is not joined itself");

    public sealed override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) =>
        throw new InvalidOperationException("a part keeps nothing");

    /// <summary>Begins the next part's command, in order; false where there is none left. Under the lock.</summary>
    protected abstract bool BeginNext(RemoteCommand part);

    /// <summary>Takes a part's answer, in any order. Under the lock.</summary>
    /// <param name="index">The part's place, from 0.</param>
    /// <param name="reply">What it was answered.</param>
    protected abstract void Take(int index, ref RespReader reply);

    /// <summary>All has ended, well or not: lets go of what the answer does not need. Under the lock, once.</summary>
    protected virtual void LetGo()
    {
    }

    /// <summary>Writes the answer of a call whose parts all succeeded.</summary>
    protected abstract CallError? Write(IBufferWriter<byte> response);

    // Under the lock.
    private void End(RemoteCommand part)
    {
        _inFlight--;
        _front!.Commands.Return(part);
    }

    // A part that fails within Send comes back here, and finds the loop further out at work.
    private void SendMore()
    {
        lock (_lock)
        {
            if (_isSending || _hasEnded)
            {
                return;
            }

            _isSending = true;
        }

        bool hasEnded;
        while (Next(out hasEnded) is { } part)
        {
            part.Send(_front!);
        }

        if (hasEnded)
        {
            whole.Caller.OnJoined(whole);
        }
    }

    // The next part to send; null where there is none now. Whether all has ended is said once.
    private RemoteCommand? Next(out bool hasEnded)
    {
        hasEnded = false;
        lock (_lock)
        {
            if (_begun > 0 && IsGone)
            {
                // Nobody is told of it.
                _error ??= CallError.PastDeadline;
            }

            if (_error is null && !IsEnough && _inFlight < AtOnce)
            {
                RemoteCommand part = _front!.Commands.Rent(this);
                part.Lane = whole.Lane;
                part.Prepare(whole.Call!, whole.Target, _begun, 0, whole.StartedAt, whole.EndsAt, 0);
                part.Effort = PartEffort;
                part.IsContinued = _begun > 0;
                if (BeginNext(part))
                {
                    _begun++;
                    _inFlight++;
                    return part;
                }

                _front.Commands.Return(part);
            }

            _isSending = false;
            _hasEnded = hasEnded = _inFlight == 0;
            if (hasEnded)
            {
                LetGo();
            }

            return null;
        }
    }
}
