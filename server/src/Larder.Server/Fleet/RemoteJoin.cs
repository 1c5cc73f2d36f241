using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs a call of many parts. Each part is a command to the node of its key, and at most <see cref="AtOnce"/> are outstanding at once. After the first failure
/// no more parts are sent; the call fails when the outstanding ones have ended.
/// </summary>
/// <param name="whole">The joined call.</param>
internal abstract class RemoteJoin(RemoteCommand whole) : RemoteCaller
{
    private readonly Lock _lock = new();
    private RemoteGateway? _gateway;
    private uint _begun;
    private int _inFlight;
    private bool _isSending;
    private bool _hasEnded;
    private bool _hasRun;
    private CallError? _error;

    public sealed override object Owner => whole.Caller.Owner;

    public sealed override bool IsGone => whole.Caller.IsGone;

    /// <summary>The joined call.</summary>
    protected RemoteCommand Whole => whole;

    /// <summary>Whether the remaining parts are no longer needed.</summary>
    protected virtual bool IsEnough => false;

    /// <summary>The maximum number of outstanding parts, at least 1.</summary>
    protected virtual int AtOnce => FleetLimits.MaxConcurrentParts;

    /// <summary>The effort of the next part. <see cref="BeginNext"/> may change it.</summary>
    protected virtual Effort PartEffort => Effort.Small;

    /// <summary>An estimate of the response size in bytes, for responses that may be large. Valid once all parts have ended.</summary>
    public virtual int AnswerBytes => 0;

    /// <summary>Starts to send parts.</summary>
    public void Start(RemoteGateway gateway)
    {
        _gateway = gateway;
        SendMore();
    }

    /// <summary>The error of the call, or null on success. Valid once all parts have ended.</summary>
    public CallError? Outcome => _error is null ? null : FleetErrors.OfPart(_error, _hasRun);

    /// <summary>Writes the response. Must be called only when all parts have ended.</summary>
    /// <param name="response">Receives the response message; unchanged if the call fails.</param>
    /// <returns>Null on success, otherwise the error.</returns>
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

    public sealed override void OnJoined(RemoteCommand command) => throw new InvalidOperationException("A part cannot be joined itself.");

    public sealed override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) =>
        throw new InvalidOperationException("A part cannot keep data.");

    /// <summary>Begins the command of the next part, in order. Returns false if there is none. Called under the lock.</summary>
    protected abstract bool BeginNext(RemoteCommand part);

    /// <summary>Processes the reply of a part. Replies arrive in any order. Called under the lock.</summary>
    /// <param name="index">The part's index, from 0.</param>
    /// <param name="reply">The reply.</param>
    protected abstract void Take(int index, ref RespReader reply);

    /// <summary>Releases what the response does not need, when all parts have ended in success or failure. Called once, under the lock.</summary>
    protected virtual void LetGo()
    {
    }

    /// <summary>Writes the response when all parts succeeded.</summary>
    protected abstract CallError? Write(IBufferWriter<byte> response);

    // Called under the lock.
    private void End(RemoteCommand part)
    {
        _inFlight--;
        _gateway!.Commands.Return(part);
    }

    // A part that fails inside Send re-enters here; the outer loop then continues.
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
            part.Send(_gateway!);
        }

        if (hasEnded)
        {
            whole.Caller.OnJoined(whole);
        }
    }

    // Returns the next part to send, or null if there is none now. hasEnded is true exactly once.
    private RemoteCommand? Next(out bool hasEnded)
    {
        hasEnded = false;
        lock (_lock)
        {
            if (_begun > 0 && IsGone)
            {
                // The error is not sent to any client.
                _error ??= CallError.PastDeadline;
            }

            if (_error is null && !IsEnough && _inFlight < AtOnce)
            {
                RemoteCommand part = _gateway!.Commands.Rent(this);
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

                _gateway.Commands.Return(part);
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
