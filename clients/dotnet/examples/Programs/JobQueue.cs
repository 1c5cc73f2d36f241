using System.Collections.Concurrent;
using System.Text.Json;
using Larder.Client;

namespace Larder.Examples.Programs;

/// <summary>A job queue. Only one worker takes each job. If the worker cannot finish the job in time, it puts the job back.</summary>
public static class JobQueue
{
    public static async Task Main() =>
        Console.WriteLine(string.Join('\n', await RunAsync(Environment.GetEnvironmentVariable("LARDER_URL") ?? "http://127.0.0.1:8080")));

    public static async Task<string[]> RunAsync(string url)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), url, defaultTtl: TimeSpan.FromHours(1));
        Cache cache = client.Cache("cache");
        await cache.DeleteAsync("jobs");
        Job[] jobs = [new("mail", IsSlow: false), new("report", IsSlow: true), new("backup", IsSlow: false)];
        await cache.ListConcatenateBackAsync("jobs", [.. jobs.Select(job => JsonSerializer.SerializeToUtf8Bytes(job))]);
        ConcurrentBag<string> done = [];
        await Task.WhenAll(WorkAsync(cache, done), WorkAsync(cache, done));
        return [.. done.Order()];
    }

    private static async Task WorkAsync(Cache cache, ConcurrentBag<string> done)
    {
        while (await cache.ListPopFrontAsync("jobs") is { IsMiss: false } taken)
        {
            Job job = JsonSerializer.Deserialize<Job>(taken.Value.Value.Span)!; // taken.Value throws if the call failed.
            using CancellationTokenSource deadline = new(TimeSpan.FromMilliseconds(50));
            try
            {
                await (job.IsSlow ? Task.Delay(TimeSpan.FromMinutes(1), deadline.Token) : Task.CompletedTask);
                done.Add($"{job.Name} after {job.Attempts}");
            }
            catch (OperationCanceledException)
            {
                Job again = job with { Attempts = job.Attempts + 1, IsSlow = false }; // Its second attempt is fast.
                _ = (await cache.ListPushBackAsync("jobs", JsonSerializer.SerializeToUtf8Bytes(again))).Value; // Throws if the call failed.
            }
        }
    }

    private sealed record Job(string Name, bool IsSlow, int Attempts = 1);
}
