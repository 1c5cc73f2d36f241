using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The calls that answer all elements of a dictionary or a set: a script, which counts their bytes, or sends on to the plain command.</summary>
/// <typeparam name="TReply">How an element stands in the reply.</typeparam>
/// <typeparam name="TElement">How it is written.</typeparam>
/// <param name="lengthVerb">The command that counts.</param>
/// <param name="verb">The command that reads.</param>
/// <param name="scanVerb">The command that reads a part.</param>
/// <param name="instead">What a caller may ask instead of an answer that is too large.</param>
internal abstract class RemoteCollectionFetch<TReply, TElement>(byte[] lengthVerb, byte[] verb, byte[] scanVerb, string instead)
    : RemoteCall(isIdempotent: true)
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Effort == Effort.Heavy)
        {
            command.Join = new ScanSteps<TReply, TElement>(command, scanVerb, instead);
            return null;
        }

        command.Begin(CollectionScripts.CollectionFetch, name, 6);
        command.Add(lengthVerb);
        command.Add(verb);
        command.Add(command.MostBytes());
        command.Add(TElement.BytesBeside);
        command.Add(FleetLimits.LightElements);
        command.Add(FleetLimits.LightBytes);
        return null;
    }

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.IsTooHeavy(reply))
        {
            return command.BeginHeavy();
        }

        if (reply.Is(CollectionReply.ReadAtOnce))
        {
            command.Effort = Effort.Heavy;
            KeyRequest.Decode(command.Request.Span, out ReadOnlySpan<byte> name);
            command.Begin(verb, name);
            return Again;
        }

        // What has gone meanwhile has no elements.
        if (!reply.IsNull && reply.Kind != RespKind.Integer && reply.Count == 0)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        return CollectionReply.Write<TReply, TElement>(command, ref reply, response, instead);
    }
}
