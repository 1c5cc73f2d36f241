using System.Buffers;
using System.Buffers.Binary;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>Tests of the reply buffer. They parse the output of the hand-written encoder with generated messages.</summary>
public sealed class ReplyBufferTests
{
    private readonly ReplyBuffer _replies = new();

    [Theory]
    [InlineData(0u, 0)]
    [InlineData(1u, 1)]
    [InlineData(127u, 100)]
    [InlineData(128u, 127)]
    [InlineData(300u, 128)]
    [InlineData(uint.MaxValue, 65_536)]
    public void WriteHit_matches_the_generated_message(uint id, int valueLength)
    {
        byte[] value = RandomBytes(valueLength);
        _replies.WriteHit(id, PipelineCalls.GetField, value);
        Result result = Assert.Single(Emit().Results);
        Assert.Equal(id, result.Id);
        Assert.Equal(CacheResult.Hit, result.Get.Result);
        Assert.Equal(value, result.Get.Value.ToByteArray());
    }

    [Theory]
    [InlineData(5)]
    [InlineData(200)]
    [InlineData(20_000)]
    [InlineData(300_000)]
    public void Response_of_any_size_is_prefixed_with_its_header(int valueLength)
    {
        GetWithHashResponse response = new() { Found = new GetWithHashResponse.Types.Found { Value = ByteString.CopyFrom(RandomBytes(valueLength)) } };
        _replies.BeginResult();
        response.WriteTo((IBufferWriter<byte>)_replies);
        _replies.EndResult(77, 16);
        _replies.WriteResult(78, PipelineCalls.SetField, SetCall.Ok);
        BatchResult batch = Emit();
        Assert.Equal(response, batch.Results[0].GetWithHash);
        Assert.Equal(77u, batch.Results[0].Id);
        Assert.Equal(CacheResult.Ok, batch.Results[1].Set.Result);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(200)]
    [InlineData(256)]
    [InlineData(8_150)]
    [InlineData(8_192)]
    [InlineData(131_072)]
    [InlineData(1_000_000)]
    public void Single_call_buffer_matches_generated_message_for_any_size(int valueLength)
    {
        ReplyBuffer replies = new(isForOne: true);
        GetResponse response = new() { Result = CacheResult.Hit, Value = ByteString.CopyFrom(RandomBytes(valueLength)) };
        replies.BeginResult();
        response.WriteTo((IBufferWriter<byte>)replies);
        replies.EndResult(77, PipelineCalls.GetField);
        Assert.Equal(response, Assert.Single(Emit(replies).Results).Get);
        replies.WriteUseUnary(78);
        Assert.Equal(78u, Assert.Single(Emit(replies).Results).Id);
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(250, "")]
    [InlineData(9_000, "not_executed")]
    public void WriteError_matches_generated_message_for_any_length(int messageLength, string? cause)
    {
        CallError error = new(StatusCode.Unavailable, new string('é', messageLength), cause);
        ReplyBuffer replies = new(isForOne: true);
        replies.WriteError(5, error);
        Assert.Equal(
            new CallStatus { Code = 14, Message = error.Message, Cause = cause ?? "" },
            Assert.Single(Emit(replies).Results).Status);
    }

    [Fact]
    public void WriteError_does_not_allocate()
    {
        ArrayBufferWriter<byte> output = new(64 * 1024);
        void WriteSome()
        {
            for (uint id = 0; id < 20; id++)
            {
                _replies.WriteError(id, CallError.PastDeadline);
            }

            _replies.Emit(output);
            output.ResetWrittenCount();
        }

        WriteSome();
        long before = GC.GetAllocatedBytesForCurrentThread();
        WriteSome();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void FailResult_discards_the_partial_response()
    {
        _replies.WriteResult(1, PipelineCalls.GetField, GetCall.Miss);
        _replies.BeginResult();
        _replies.Write(RandomBytes(5_000));
        _replies.FailResult(2, new CallError(StatusCode.ResourceExhausted, "too much: €", "request_size_limit_exceeded"));
        BatchResult batch = Emit();
        Assert.Equal(CacheResult.Miss, batch.Results[0].Get.Result);
        Assert.Equal(
            new CallStatus { Code = 8, Message = "too much: €", Cause = "request_size_limit_exceeded" },
            batch.Results[1].Status);
    }

    [Fact]
    public void WriteUseUnary_and_WriteDraining_match_the_generated_messages()
    {
        _replies.WriteUseUnary(9);
        _replies.WriteDraining();
        BatchResult batch = Emit();
        Assert.Equal(Result.OutcomeOneofCase.UseUnary, batch.Results[0].OutcomeCase);
        Assert.True(batch.Draining);
    }

    [Fact]
    public void Emit_leaves_the_buffer_empty_for_the_next_message()
    {
        _replies.WriteUseUnary(1);
        Emit();
        Assert.False(_replies.HasResults);
        _replies.WriteUseUnary(2);
        Assert.Equal(2u, Assert.Single(Emit().Results).Id);
    }

    private static byte[] RandomBytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }

    private BatchResult Emit() => Emit(_replies);

    private static BatchResult Emit(ReplyBuffer replies)
    {
        ArrayBufferWriter<byte> output = new();
        int length = replies.Emit(output);
        Assert.Equal(length, output.WrittenCount);
        Assert.Equal(0, output.WrittenSpan[0]);
        Assert.Equal(length - 5, (int)BinaryPrimitives.ReadUInt32BigEndian(output.WrittenSpan[1..]));
        return BatchResult.Parser.ParseFrom(output.WrittenSpan[5..]);
    }
}
