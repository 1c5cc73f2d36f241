using System.Buffers;
using System.Text;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Looks up elements of a collection and returns a result for each. Up to <paramref name="plainMost"/> elements are looked up by one plain command. If that
/// command finds none of them, a script determines whether the collection exists.
/// </summary>
/// <typeparam name="TReply">Reads an element's result from the reply.</typeparam>
/// <typeparam name="TElement">Writes an element's result to the response.</typeparam>
/// <param name="lengthVerb">The Redis command that counts the elements.</param>
/// <param name="verb">The Redis command that looks up elements.</param>
/// <param name="plainMost">The maximum number of elements that the plain command looks up.</param>
/// <param name="instead">The call that the error suggests if the response is too large.</param>
/// <param name="areFields">Whether the elements are fields of a dictionary, which must not be empty.</param>
internal sealed class RemoteLookUp<TReply, TElement>(string lengthVerb, string verb, int plainMost, string instead, bool areFields = false)
    : RemoteCall(isIdempotent: true), IElementsCommand
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    private const int Plain = 0;
    private const int ByScript = 1;
    private readonly byte[] _lengthVerb = Encoding.ASCII.GetBytes(lengthVerb);
    private readonly byte[] _verb = Encoding.ASCII.GetBytes(verb);

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ElementsRequest fields = ElementsRequest.Decode(request, ElementShape.Names);
        if (Check(fields, command) is { } error)
        {
            return error;
        }

        int count = fields.Count;
        command.KeepRequest(request);
        command.Effort = Efforts.OfElements(count);
        if (count > FleetLimits.ElementsPerStep)
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
            command.Begin(_verb, fields.Name, count);
            command.AddNames(fields.Elements);
        }

        return null;
    }

    public void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        command.Begin(CollectionScripts.CollectionLookUp, part.Name, 4 + part.Elements.Count);
        command.Add(_lengthVerb);
        command.Add(_verb);
        command.Add(command.MaxBytes());
        command.Add(TElement.OverheadBytesPerElement);
        command.AddNames(part.Elements);
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
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

    private CallError? Check(scoped in ElementsRequest fields, RemoteCommand command) =>
        areFields
            ? fields.CheckFields(command.Target.Rules)
            : fields.Check(command.Target.Rules)
        ?? ((long)fields.Count * TElement.OverheadBytesPerElement > command.MaxBytes() ? CollectionAnswer.TooLarge(command.MaxBytes(), instead) : null);

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
