using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs a call that consists of many parts. Each part is a command to the node of its key. At most <see cref="AtOnce"/> parts are outstanding. After the first
/// failure no more parts are sent, and the call fails when the outstanding parts have ended.
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

    /// <summary>Gets the joined call.</summary>
    protected RemoteCommand Whole => whole;

    /// <summary>Gets whether the remaining parts are no longer needed.</summary>
    protected virtual bool IsEnough => false;

    /// <summary>Gets the maximum number of outstanding parts, at least 1.</summary>
    protected virtual int AtOnce => FleetLimits.MaxConcurrentParts;

    /// <summary>Gets or sets the effort of the next part. <see cref="BeginNext"/> may change it.</summary>
    protected virtual Effort PartEffort => Effort.Small;

    /// <summary>Gets an estimate of the response size in bytes. Used for responses that may be large. Valid when all parts have ended.</summary>
    public virtual int AnswerBytes => 0;

    /// <summary>Starts sending the parts.</summary>
    public void Start(RemoteGateway gateway)
    {
        _gateway = gateway;
        SendMore();
    }

    /// <summary>Gets the error of the call, or null on success. Valid when all parts have ended.</summary>
    public CallError? Outcome => _error is null ? null : FleetErrors.OfPart(_error, _hasRun);

    /// <summary>Writes the response. Must be called only when all parts have ended.</summary>
    /// <param name="response">Receives the response message. It stays unchanged if the call fails.</param>
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

    public sealed override void OnJoined(RemoteCommand command) => throw new InvalidOperationException("A part of a joined call cannot have parts itself.");

    public sealed override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) =>
        throw new InvalidOperationException("A part of a joined call cannot keep a copy of the request.");

    /// <summary>
    /// Begins the command of the next part. The parts are begun in order. Returns false if there are no more parts. The caller must hold the lock.
    /// </summary>
    protected abstract bool BeginNext(RemoteCommand part);

    /// <summary>Processes the reply of a part. Replies arrive in any order. The caller must hold the lock.</summary>
    /// <param name="index">The index of the part, starting at 0.</param>
    /// <param name="reply">The reply.</param>
    protected abstract void Take(int index, ref RespReader reply);

    /// <summary>
    /// Releases the objects that the response does not need. Called once, under the lock, when all parts have ended, with or without success.
    /// </summary>
    protected virtual void LetGo()
    {
    }

    /// <summary>Writes the response. Called if all parts succeeded.</summary>
    protected abstract CallError? Write(IBufferWriter<byte> response);

    // The caller must hold the lock.
    private void End(RemoteCommand part)
    {
        _inFlight--;
        _gateway!.Commands.Return(part);
    }

    // If a part fails inside Send, this method is called recursively. The outer loop then continues with the next part.
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

    // Returns the next part to send, or null if no part can be sent now. hasEnded is true in exactly one call.
    private RemoteCommand? Next(out bool hasEnded)
    {
        hasEnded = false;
        lock (_lock)
        {
            if (_begun > 0 && IsGone)
            {
                // This error is internal and not sent to any client.
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
