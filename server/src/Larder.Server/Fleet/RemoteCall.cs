using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs one kind of data call on the cluster: as one command, as one script (FLEET-4), or as several commands whose results are combined. It follows the same
/// rules and writes the same responses as the call on the in-process store. Stateless, because the <see cref="RemoteCommand"/> contains the state of a call in
/// flight.
/// </summary>
/// <param name="isIdempotent">Whether the command may be resent if it is unknown whether it has run.</param>
internal abstract class RemoteCall(bool isIdempotent)
{
    /// <summary>The internal signal that the call has begun another command, which must now be sent. Clients never receive it.</summary>
    public static readonly CallError Again = new(Wire.StatusCode.Unknown, "the call must send another command");

    /// <summary>Gets whether the command may be resent if it is unknown whether it has run.</summary>
    public bool IsIdempotent { get; } = isIdempotent;

    /// <summary>Gets or sets what the cost of the call depends on.</summary>
    public CostKind Cost { get; set; }

    /// <summary>Gets the effort of the first command. <see cref="Begin"/> may change it, depending on the request.</summary>
    public virtual Effort FirstEffort => Cost == CostKind.Collection ? Effort.Light : Effort.Small;

    /// <summary>Checks the request and begins the command, or sets <see cref="RemoteCommand.Join"/> for a joined call.</summary>
    /// <param name="request">The request message. It is valid only during this call.</param>
    /// <param name="command">The command. Its target is already set.</param>
    /// <returns>Null if the command must be sent, otherwise the error.</returns>
    public abstract CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command);

    /// <summary>Does the expensive work for a large reply. Called before <see cref="Answer"/>, without the caller's lock.</summary>
    public virtual void Digest(RemoteCommand command, RespReader reply)
    {
    }

    /// <summary>Writes the response.</summary>
    /// <param name="command">The call.</param>
    /// <param name="reply">The reply of the command. It is never an error.</param>
    /// <param name="response">Receives the response message. It stays unchanged if the call fails.</param>
    /// <returns>Null on success, <see cref="Again"/>, <see cref="CallError.UseUnary"/>, or another error.</returns>
    public abstract CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response);
}
