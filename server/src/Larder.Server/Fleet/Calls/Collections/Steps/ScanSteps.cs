using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Reads all elements of a large dictionary or set in parts. An element that exists during the whole scan is returned. An element that is added or removed
/// during the scan may or may not be returned.
/// </summary>
/// <typeparam name="TReply">Reads an element from the reply.</typeparam>
/// <typeparam name="TElement">Writes an element to the response.</typeparam>
/// <param name="whole">The call, whose request must already be stored.</param>
/// <param name="verb">The Redis command that reads a part of the elements.</param>
/// <param name="instead">The call that the error suggests if the response is too large.</param>
internal sealed class ScanSteps<TReply, TElement>(RemoteCommand whole, byte[] verb, string instead) : PartSteps(whole)
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    private readonly GatheredElements _names = new();
    private readonly AnswerParts<TElement> _parts = new(whole, instead);
    private byte[] _cursor = [(byte)'0'];
    private bool _isFull;

    public override int AnswerBytes => _parts.Written;

    protected override bool IsEnough => base.IsEnough || _isFull || _parts.IsTooLarge;

    protected override void BeginStep(RemoteCommand part)
    {
        KeyRequest.Decode(Whole.Request.Span, out ReadOnlySpan<byte> name);
        part.Begin(verb, name, 3);
        part.Add(_cursor);
        part.Add("COUNT"u8);
        part.Add(FleetLimits.ElementsPerStep);
    }

    protected override void Take(int index, ref RespReader reply)
    {
        reply.Read();
        _cursor = reply.Bytes.ToArray();
        IsOver = _cursor is [(byte)'0'];
        reply.Read();
        for (int left = TReply.CountIn(reply); left > 0 && !IsTooLargeTogether(); left--)
        {
            CollectionElement element = TReply.Next(ref reply);
            if (_names.TryAdd(element.Name))
            {
                _parts.Add(element);
            }
        }

        _isFull = _names.IsFull;
        // The collection may have been deleted in the meantime. There are then no elements.
        IsMissing = IsOver && _names.Count == 0 && !_isFull;
    }

    protected override CallError? WriteFound(IBufferWriter<byte> response) => _isFull ? CallError.NoBuffer : _parts.Write(response);

    protected override void LetGo()
    {
        _names.LetGo();
        if (Outcome is not null)
        {
            _parts.LetGo();
        }
    }

    private bool IsTooLargeTogether() => _names.IsFull || _parts.IsTooLarge;
}
