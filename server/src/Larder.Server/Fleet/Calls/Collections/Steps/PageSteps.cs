using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Reads many elements of a list or a sorted set page by page. If other callers change the collection between two pages, an element may be returned twice or
/// not at all.
/// </summary>
/// <typeparam name="TReply">Reads an element from the reply.</typeparam>
/// <typeparam name="TElement">Writes an element to the response.</typeparam>
/// <param name="whole">The call, whose request must already be stored.</param>
/// <param name="call">Begins the commands.</param>
/// <param name="instead">The call that the error suggests if the response is too large.</param>
internal sealed class PageSteps<TReply, TElement>(RemoteCommand whole, IPagedCommand call, string instead) : PartSteps(whole)
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    private readonly AnswerParts<TElement> _parts = new(whole, instead);

    public override int AnswerBytes => _parts.Written;

    protected override bool IsEnough => base.IsEnough || _parts.IsTooLarge;

    protected override void BeginStep(RemoteCommand part) => call.BeginPage(part, Whole.Request.Span, _parts.Elements);

    protected override void Take(int index, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            // The collection was deleted in the meantime, so there are no more elements.
            IsMissing = _parts.Elements == 0;
            IsOver = true;
            return;
        }

        if (reply.Is(CollectionReply.TooLarge))
        {
            _parts.SetTooLarge();
            return;
        }

        reply.Read();
        IsOver = reply.Integer <= 0;
        reply.Read();
        for (int left = TReply.CountIn(reply); left > 0; left--)
        {
            _parts.Add(TReply.Next(ref reply));
        }
    }

    protected override CallError? WriteFound(IBufferWriter<byte> response) => _parts.Write(response);

    protected override void LetGo()
    {
        if (Outcome is not null)
        {
            _parts.LetGo();
        }
    }
}
