using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// The calls that answer a part for each asked element. A plain command says so of few; where it finds none of them, a script tells whether there is a
/// collection at all.
/// </summary>
/// <typeparam name="TReply">How a part stands in the reply.</typeparam>
/// <typeparam name="TElement">How it is written.</typeparam>
/// <param name="lengthVerb">The command that counts.</param>
/// <param name="verb">The command that looks up.</param>
/// <param name="plainMost">Elements at most that the plain command is asked for.</param>
/// <param name="instead">What a caller may ask instead of an answer that is too large.</param>
internal abstract class RemoteLookUp<TReply, TElement>(byte[] lengthVerb, byte[] verb, int plainMost, string instead)
    : RemoteCall(isIdempotent: true), IElementsCommand
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    private const int Plain = 0;
    private const int ByScript = 1;

    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ElementsRequest fields = ElementsRequest.Decode(request, ElementShape.Names);
        if (Check(fields, command) is { } error)
        {
            return error;
        }

        int count = fields.Count;
        command.KeepRequest(request);
        command.Effort = Efforts.OfElements(count);
        if (count > FleetLimits.ElementsAtOnce)
        {
            command.Join = new LookUpSteps<TReply, TElement>(command, this, fields, request, instead);
        }
        else if (count == 0 || count > plainMost)
        {
            command.Step = ByScript;
            BeginPart(command, new ElementsPart(fields.Name, fields.Elements));
        }
        else
        {
            command.Begin(verb, fields.Name, count);
            command.AddNames(fields.Elements);
        }

        return null;
    }

    public void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        command.Begin(CollectionScripts.CollectionLookUp, part.Name, 4 + part.Elements.Count);
        command.Add(lengthVerb);
        command.Add(verb);
        command.Add(command.MostBytes());
        command.Add(TElement.BytesBeside);
        command.AddNames(part.Elements);
    }

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.Step == Plain && !HasAny(reply))
        {
            command.Step = ByScript;
            using ElementsRequest fields = ElementsRequest.Decode(command.Request.Span, ElementShape.Names);
            BeginPart(command, new ElementsPart(fields.Name, fields.Elements));
            return Again;
        }

        return CollectionReply.Write<TReply, TElement>(command, ref reply, response, instead);
    }

    /// <summary>Null where the request may be run.</summary>
    protected virtual CallError? Check(scoped in ElementsRequest fields, RemoteCommand command) =>
        fields.Check(command.Target.Rules)
        ?? ((long)fields.Count * TElement.BytesBeside > command.MostBytes() ? CollectionAnswer.TooLarge(command.MostBytes(), instead) : null);

    private static bool HasAny(RespReader reply)
    {
        bool any = false;
        for (int left = TReply.CountIn(reply); left > 0 && !any; left--)
        {
            any = TReply.Next(ref reply).IsPresent;
        }

        return any;
    }
}
