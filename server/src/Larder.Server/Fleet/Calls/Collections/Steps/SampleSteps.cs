using System.Buffers;
using System.Security.Cryptography;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Takes a large sample of a set. If the set has many more elements than the sample, Redis picks random elements repeatedly until there are enough distinct
/// elements. Otherwise the gateway reads the whole set in parts and draws the sample itself.
/// </summary>
/// <param name="whole">The call, whose request must already be stored.</param>
/// <param name="scans">Whether the gateway reads the whole set.</param>
internal sealed class SampleSteps(RemoteCommand whole, bool scans) : PartSteps(whole)
{
    private readonly GatheredElements _names = new();
    private readonly AnswerParts<PlainElement> _parts = new(whole, LimitAdvice.OfSetSample);
    private byte[] _cursor = [(byte)'0'];
    private bool _isFull;
    private bool _isTooLarge;
    private long _bytes;

    public override int AnswerBytes => _parts.Written;

    protected override bool IsEnough => base.IsEnough || _isFull || _isTooLarge;

    protected override void BeginStep(RemoteCommand part)
    {
        long count = Decode(out ReadOnlySpan<byte> name);
        part.Begin(scans ? "SSCAN"u8 : "SRANDMEMBER"u8, name, scans ? 3 : 1);
        if (scans)
        {
            part.Add(_cursor);
            part.Add("COUNT"u8);
            part.Add(FleetLimits.ElementsPerStep);
        }
        else
        {
            part.Add(Math.Min(count, FleetLimits.SamplesPerStep));
        }
    }

    protected override void Take(int index, ref RespReader reply)
    {
        if (scans)
        {
            reply.Read();
            _cursor = reply.Bytes.ToArray();
            IsOver = _cursor is [(byte)'0'];
            reply.Read();
        }

        long count = Decode(out _);
        bool isAnyNew = false;
        for (int left = PlainReply.CountIn(reply); left > 0 && !_names.IsFull && (scans || _names.Count < count); left--)
        {
            CollectionElement element = PlainReply.Next(ref reply);
            if (_names.TryAdd(element.Name))
            {
                isAnyNew = true;
                _bytes += element.Name.Length + PlainElement.OverheadBytesPerElement;
            }
        }

        _isFull = _names.IsFull;
        // If elements were removed from the set in the meantime, it may no longer have enough distinct elements.
        IsOver |= !scans && (_names.Count == count || !isAnyNew);
        _isTooLarge = !scans && _bytes > Whole.MaxBytes();
        if (IsOver && !_isFull)
        {
            IsMissing = _names.Count == 0;
            Draw(count);
        }
    }

    protected override CallError? WriteFound(IBufferWriter<byte> response) =>
        _isFull ? CallError.NoBuffer
        : _isTooLarge ? CollectionAnswer.TooLarge(Whole.MaxBytes(), LimitAdvice.OfSetSample)
        : _parts.Write(response);

    protected override void LetGo()
    {
        _names.LetGo();
        if (Outcome is not null)
        {
            _parts.LetGo();
        }
    }

    private long Decode(out ReadOnlySpan<byte> name)
    {
        CountRequest.Decode(Whole.Request.Span, out CountRequest fields);
        name = fields.Name;
        return (long)Math.Min(fields.Count, uint.MaxValue);
    }

    private void Draw(long count)
    {
        ReadOnlyMemory<byte>[] drawn = [.. _names.All];
        if (count < drawn.Length)
        {
            RandomNumberGenerator.Shuffle(drawn.AsSpan());
        }

        foreach (ReadOnlyMemory<byte> name in drawn.AsSpan(0, (int)Math.Min(count, drawn.Length)))
        {
            _parts.Add(new CollectionElement(name.Span, default, 0, isPresent: true));
        }
    }
}
