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
/// <param name="Cost">What its work grows with.</param>
/// <param name="Handler">What runs it.</param>
internal sealed record CacheCall(string Name, string KebabName, int PipelineField, CostKind Cost, CacheCallHandler Handler)
{
    /// <summary>
    /// 4 KB: a request of elements that is larger may hold a thousand of them, some 0.4 ms of work; one that is smaller is run where it arrived.
    /// </summary>
    public const int MaxShortRequestBytes = 4 * 1024;

    /// <summary>
    /// Whether a request is long work by its size alone. Whatever else takes long the store finds before it begins (<see cref="Larder.Store.CallPace.Short"/>).
    /// </summary>
    /// <param name="requestBytes">The request message's length.</param>
    public bool IsLong(long requestBytes) =>
        requestBytes > MaxShortRequestBytes && Cost is CostKind.Elements or CostKind.Collection or CostKind.Sources;

    /// <summary>The wire path of the unary form.</summary>
    public string Path { get; } = $"/cache_client.Scs/{Name}";
}
