using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// How one data call runs on the fleet: one command or one script (FLEET-4), or several of them joined. It holds the same rules as the call on the store in
/// this process, and writes the same answers. Without state: what a call in flight has to remember is in its <see cref="RemoteCommand"/>.
/// </summary>
/// <param name="isIdempotent">Whether its command may be sent again where it may have run.</param>
internal abstract class RemoteCall(bool isIdempotent)
{
    /// <summary>No failure that a caller sees: the command was begun anew and is to be sent.</summary>
    public static readonly CallError Again = new(Wire.StatusCode.Unknown, "the call takes another step");

    /// <summary>Whether its command may be sent again where it may have run.</summary>
    public bool IsIdempotent { get; } = isIdempotent;

    /// <summary>What its work grows with.</summary>
    public CostKind Cost { get; set; }

    /// <summary>The effort of its first command, unless its request says otherwise.</summary>
    public virtual Effort FirstEffort => Cost == CostKind.Collection ? Effort.Light : Effort.Small;

    /// <summary>Checks the request and begins the command; or, of a joined call, sets <see cref="RemoteCommand.Join"/>.</summary>
    /// <param name="request">The request message; not kept.</param>
    /// <param name="command">Knows its target.</param>
    /// <returns>Null where the call is to be sent.</returns>
    public abstract CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command);

    /// <summary>Does what long work a large reply needs, before <see cref="Answer"/> and outside its caller's lock.</summary>
    public virtual void Digest(RemoteCommand command, RespReader reply)
    {
    }

    /// <summary>Writes the answer.</summary>
    /// <param name="command">The call.</param>
    /// <param name="reply">What its command was answered; never an error.</param>
    /// <param name="response">Takes the response message; untouched where the call fails.</param>
    /// <returns>Null on success; <see cref="Again"/>; <see cref="CallError.UseUnary"/>.</returns>
    public abstract CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response);
}
