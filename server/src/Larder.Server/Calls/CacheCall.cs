using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>
/// Runs one call: decodes <paramref name="request"/>, acts on the cache, and writes the response message.
/// </summary>
/// <param name="target">The cache and the limits.</param>
/// <param name="request">The request message; not kept.</param>
/// <param name="response">Takes the response message; untouched where the call fails.</param>
/// <returns>Null on success.</returns>
internal delegate CallError? CacheCallHandler(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response);

/// <summary>What a call acts on.</summary>
/// <param name="Cache">The cache that the call named.</param>
/// <param name="Rules">The limits that it is held to.</param>
/// <param name="MaxAnswerBytes">The largest value, and the most that a batch's answers may be together as encoded; past it the call is
/// <see cref="CallError.UseUnary"/>.</param>
internal readonly record struct CallTarget(Cache Cache, CallRules Rules, int MaxAnswerBytes = int.MaxValue);

/// <summary>One data call, the same behind a unary rpc and in a pipelined batch.</summary>
/// <param name="Name">The rpc's name.</param>
/// <param name="KebabName">Its name in the fault-injection metadata.</param>
/// <param name="PipelineField">Its field in the pipeline's <c>Operation</c> and <c>Result</c>.</param>
/// <param name="Handler">What runs it.</param>
internal sealed record CacheCall(string Name, string KebabName, int PipelineField, CacheCallHandler Handler)
{
    /// <summary>The wire path of the unary form.</summary>
    public string Path { get; } = $"/cache_client.Scs/{Name}";
}
