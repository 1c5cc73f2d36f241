using System.Buffers;
using System.Text;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs the calls that return all elements of a dictionary or a set. A script first checks the size of the elements. The script returns the elements, or a
/// number that makes the gateway use the plain command.
/// </summary>
/// <typeparam name="TReply">Reads an element from the reply.</typeparam>
/// <typeparam name="TElement">Writes an element to the response.</typeparam>
/// <param name="lengthVerb">The Redis command that counts the elements.</param>
/// <param name="verb">The Redis command that reads all elements.</param>
/// <param name="scanVerb">The Redis command that reads a page of the elements.</param>
/// <param name="instead">The call that the error suggests if the response is too large.</param>
internal sealed class RemoteCollectionFetch<TReply, TElement>(string lengthVerb, string verb, string scanVerb, string instead)
    : RemoteCall(isIdempotent: true)
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    private readonly byte[] _lengthVerb = Encoding.ASCII.GetBytes(lengthVerb);
    private readonly byte[] _verb = Encoding.ASCII.GetBytes(verb);
    private readonly byte[] _scanVerb = Encoding.ASCII.GetBytes(scanVerb);

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Effort == Effort.Heavy)
        {
            command.Join = new ScanSteps<TReply, TElement>(command, _scanVerb, instead);
            return null;
        }

        command.Begin(CollectionScripts.CollectionFetch, name, 6);
        command.Add(_lengthVerb);
        command.Add(_verb);
        command.Add(command.MaxBytes());
        command.Add(TElement.OverheadBytesPerElement);
        command.Add(FleetLimits.LightElements);
        command.Add(FleetLimits.LightBytes);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.NeedsTurnAsHeavy(reply))
        {
            return command.BeginHeavy();
        }

        if (reply.Is(CollectionReply.UsePlainCommand))
        {
            command.Effort = Effort.Heavy;
            KeyRequest.Decode(command.Request.Span, out ReadOnlySpan<byte> name);
            command.Begin(_verb, name);
            return Again;
        }

        // The collection was deleted between the two commands, because Redis has no empty collections.
        if (!reply.IsNull && reply.Kind != RespKind.Integer && reply.Count == 0)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        return CollectionReply.Write<TReply, TElement>(command, ref reply, response, instead);
    }
}
