using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>A lookup in several steps. Collects the encoded results of the steps, up to the size limit of the response.</summary>
/// <typeparam name="TReply">Reads a result from the reply.</typeparam>
/// <typeparam name="TElement">Writes a result to the response.</typeparam>
[SuppressMessage("Reliability", "CA1001", Justification = "Its block is an array, which the collector takes with it.")]
internal sealed class LookUpSteps<TReply, TElement> : ElementSteps
    where TReply : struct, IReplyElement
    where TElement : struct, IElementFormat
{
    // The initial buffer size, which is enough for a first step with short values.
    private const int FirstBytes = 64 * 1024;

    private readonly string _instead;
    private PooledBuffer? _parts;
    private long _bytes;
    private int _elements;
    private bool _isMissing;

    public LookUpSteps(RemoteCommand whole, IElementsCommand call, scoped in ElementsRequest fields, ReadOnlySpan<byte> request, string instead)
        : base(whole, call, fields, request, ElementShape.Names) => _instead = instead;

    public override int AnswerBytes => _parts?.Written ?? 0;

    protected override bool IsEnough => _isMissing || _bytes > Whole.MaxBytes();

    protected override void Take(int index, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            _isMissing = true;
            return;
        }

        if (reply.Is(CollectionReply.TooLarge))
        {
            _bytes = long.MaxValue;
            return;
        }

        int elements = TReply.CountIn(reply);
        long bytes = CollectionReply.Measure<TReply>(reply, elements) + ((long)elements * TElement.OverheadBytesPerElement);
        _bytes += bytes;
        if (IsEnough)
        {
            return;
        }

        _elements += elements;
        _parts ??= new PooledBuffer(FirstBytes);
        ElementSink<TElement> sink = new(_parts.GetSpan((int)bytes));
        for (; elements > 0; elements--)
        {
            sink.Accept(TReply.Next(ref reply));
        }

        _parts.Advance(sink.Written);
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        try
        {
            if (_isMissing)
            {
                response.WriteEmptyArm(CollectionAnswer.Missing);
                return null;
            }

            if (IsEnough)
            {
                return CollectionAnswer.TooLarge(Whole.MaxBytes(), _instead);
            }

            CollectionAnswer<TElement> answer = new(Whole.Target.MaxAnswerBytes, response);
            ElementSink<TElement> sink = answer.BeginFor(_elements, (int)(_bytes - ((long)_elements * TElement.OverheadBytesPerElement)));
            sink.AcceptWritten(_parts!.WrittenSpan);
            return answer.End(CollectionOutcome.Ok, sink, _instead);
        }
        finally
        {
            _parts?.Dispose();
        }
    }
}
