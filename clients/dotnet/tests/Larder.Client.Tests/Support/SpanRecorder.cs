using System.Collections.Concurrent;
using System.Diagnostics;

namespace Larder.Client.Tests.Support;

/// <summary>Records the client's spans that are descendants of a span of the test. It ignores spans of tests that run in parallel.</summary>
internal sealed class SpanRecorder : IDisposable
{
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;

    public SpanRecorder()
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

    /// <summary>Gets the tags that the span had when the sampler was last called.</summary>
    public string Sampled { get; private set; } = "";

    public Activity[] Ended => [.. _ended];

    /// <summary>Returns each tag's name and value, sorted by name.</summary>
    public static string Words(IEnumerable<KeyValuePair<string, object?>> tags) =>
        string.Join(' ', tags.OrderBy(static tag => tag.Key, StringComparer.Ordinal).Select(static tag => $"{tag.Key}={tag.Value}"));

    public void Dispose()
    {
        _listener.Dispose();
        Parent.Dispose();
    }
}
