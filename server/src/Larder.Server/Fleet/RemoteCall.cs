using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs one kind of data call on the cluster: one command, one script (FLEET-4), or several commands whose results are joined. It follows the same rules and
/// writes the same responses as the call on the in-process store. Stateless: the state of a call in flight is in its <see cref="RemoteCommand"/>.
/// </summary>
/// <param name="isIdempotent">Whether the command may be resent after it may have run.</param>
internal abstract class RemoteCall(bool isIdempotent)
{
    /// <summary>Not an error that callers see: a new command has been begun and is to be sent.</summary>
    public static readonly CallError Again = new(Wire.StatusCode.Unknown, "the call needs another step");

    /// <summary>Whether the command may be resent after it may have run.</summary>
    public bool IsIdempotent { get; } = isIdempotent;

    /// <summary>What the cost of the call depends on.</summary>
    public CostKind Cost { get; set; }

    /// <summary>The effort of the first command. <see cref="Begin"/> may change it according to the request.</summary>
    public virtual Effort FirstEffort => Cost == CostKind.Collection ? Effort.Light : Effort.Small;

    /// <summary>Checks the request and begins the command, or sets <see cref="RemoteCommand.Join"/> for a joined call.</summary>
    /// <param name="request">The request message, valid only during the call.</param>
    /// <param name="command">The command, whose target is set.</param>
    /// <returns>Null if the command is to be sent, otherwise the error.</returns>
    public abstract CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command);

    /// <summary>Does expensive work for a large reply, before <see cref="Answer"/> and outside the caller's lock.</summary>
    public virtual void Digest(RemoteCommand command, RespReader reply)
    {
    }

    /// <summary>Writes the response.</summary>
    /// <param name="command">The call.</param>
    /// <param name="reply">The reply of the command; never an error.</param>
    /// <param name="response">Receives the response message; unchanged if the call fails.</param>
    /// <returns>Null on success, <see cref="Again"/>, <see cref="CallError.UseUnary"/>, or another error.</returns>
    public abstract CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response);
}
