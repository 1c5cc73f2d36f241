using System.Collections.Concurrent;
using System.Diagnostics;

namespace Larder.Client.Tests.Support;

/// <summary>The client's spans beneath a span of the test's own; others' tests run beside it.</summary>
internal sealed class HeardSpans : IDisposable
{
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;

    public HeardSpans()
    {
        Parent = new Activity("test").Start();
        ActivityTraceId trace = Parent.TraceId;
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Larder",
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
            {
                if (options.Parent.TraceId != trace)
                {
                    return ActivitySamplingResult.None;
                }

                Sampled = Words(options.Tags ?? []);
                return ActivitySamplingResult.AllData;
            },
            ActivityStopped = span =>
            {
                if (span.TraceId == trace)
                {
                    _ended.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public Activity Parent { get; }

    /// <summary>What the last sampler was shown.</summary>
    public string Sampled { get; private set; } = "";

    public Activity[] Ended => [.. _ended];

    /// <summary>Name and value of each, in the order of names.</summary>
    public static string Words(IEnumerable<KeyValuePair<string, object?>> tags) =>
        string.Join(' ', tags.OrderBy(static tag => tag.Key, StringComparer.Ordinal).Select(static tag => $"{tag.Key}={tag.Value}"));

    public void Dispose()
    {
        _listener.Dispose();
        Parent.Dispose();
    }
}
