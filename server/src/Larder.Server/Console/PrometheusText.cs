using System.Globalization;
using System.Text;
using Larder.Server.Metrics;
using Larder.Wire;

namespace Larder.Server.Console;

/// <summary>Writes the server's state in the Prometheus text format 0.0.4.</summary>
internal static class PrometheusText
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    // The bucket bounds increase in steps of 1, 2.5 and 5 from 10 µs to 1 s. The last bound is 10 s. The usual latencies of a cache are well inside this range.
    private static readonly double[] BucketBoundsUs =
    [
        10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 10_000_000,
    ];

    public static string Write(StatsDocument stats, IEnumerable<RpcMeter> meters)
    {
        StringBuilder text = new(16 * 1024);
        Header(text, "larder_build_info", "gauge", "Version of the server, as a label; the value is always 1.");
        Sample(text, "larder_build_info", $"version=\"{ServerVersion.Text}\",runtime=\"{Environment.Version}\",os=\"{OperatingSystemName}\"", 1);
        Gauge(text, "larder_ready", "1 if the server accepts calls, otherwise 0.", stats.IsReady ? 1 : 0);
        Gauge(text, "larder_uptime_seconds", "Time since the server started.", stats.UptimeSeconds);
        Counter(text, "process_cpu_seconds_total", "Processor time used.", stats.CpuSeconds);
        Gauge(text, "process_resident_memory_bytes", "Resident memory.", stats.ResidentBytes);
        Gauge(text, "larder_connections", "Open connections.", stats.Connections);
        Counter(text, "larder_connections_accepted_total", "Connections accepted.", stats.ConnectionsAccepted);
        Counter(text, "larder_connections_refused_total", "Connections closed because the connection limit was reached.", stats.ConnectionsRefused);
        Counter(text, "larder_handshake_failures_total", "Connections whose TLS handshake failed.", stats.HandshakesFailed);
        Gauge(text, "larder_streams", "Calls in progress.", stats.Streams);
        Gauge(text, "larder_pipelines", "Open pipelines.", stats.Pipelines);
        Counter(text, "larder_log_lines_dropped_total", "Errors not logged because of the log rate limit.", stats.LogLinesDropped);
        Counter(text, "larder_reloads_total", "Reloads of token and certificate files.", stats.Reloads);
        Counter(text, "larder_authentication_failures_total", "Calls and requests with a missing or unknown token.", stats.AuthenticationsFailed);
        Counter(text, "larder_permission_denials_total", "Calls rejected because their token lacks the required role.", stats.PermissionsDenied);
        Counter(
            text,
            "larder_door_refusals_total",
            "Calls rejected without being read, because too many calls from the same address had no valid token.",
            stats.DoorRefusals);
        Counter(text, "larder_reload_failures_total", "Failed reloads of token and certificate files.", stats.ReloadsFailed);
        WriteGarbage(text, stats.Garbage);
        Gauge(text, "larder_buffer_limit_bytes", "Memory limit of connections, excluding the store.", stats.Buffers.LimitBytes);
        Gauge(text, "larder_buffer_used_bytes", "Memory used by connections, excluding the store.", stats.Buffers.UsedBytes);
        Counter(
            text,
            "larder_buffer_refusals_total",
            "Calls, streams and buffers rejected because the memory limit of connections was reached.",
            stats.Buffers.Refusals);
        Gauge(text, "cache_memory_limit_bytes", "The store's memory limit.", stats.Store.MaxMemoryBytes);
        Gauge(text, "cache_memory_used_bytes", "Memory used by the store.", stats.Store.UsedMemoryBytes);
        Gauge(text, "cache_memory_fragmentation_bytes", "Memory of the store that is free or occupied by removed entries.", stats.Store.FragmentationBytes);
        Gauge(text, "cache_memory_flushed_bytes", "Part of the store's memory still held by flushed and deleted caches.", stats.Store.FlushedBytes);
        Counter(text, "cache_memory_failed_releases_total", "Failures to return memory to the operating system.", stats.Store.FailedReleases);
        if (stats.Store.Shadow is { } shadow)
        {
            Header(text, "cache_hit_ratio_estimate", "gauge", "Estimated hit ratio of recent traffic with a different memory size.");
            Sample(text, "cache_hit_ratio_estimate", "memory=\"half\"", shadow.HalfMemory);
            Sample(text, "cache_hit_ratio_estimate", "memory=\"present\"", shadow.PresentMemory);
            Sample(text, "cache_hit_ratio_estimate", "memory=\"double\"", shadow.DoubleMemory);
        }

        WriteTopics(text, stats.Topics);
        WriteNear(text, stats.Near);
        WriteCaches(text, stats.Store.Caches);
        if (stats.Snapshot is { } snapshot)
        {
            WriteSnapshot(text, snapshot);
        }

        if (stats.Fleet is { } fleet)
        {
            WriteFleet(text, fleet);
        }

        WriteRpcs(text, [.. meters.Where(meter => meter.Latency.Snapshot().Total != 0)]);
        return text.ToString();
    }

    private static void WriteCaches(StringBuilder text, IReadOnlyList<CacheStats> caches)
    {
        Family(text, "cache_hits_total", "counter", "Get calls that found the key.", caches, cache => cache.Hits);
        Family(text, "cache_misses_total", "counter", "Get calls that did not find the key.", caches, cache => cache.Misses);
        Family(text, "cache_sets_total", "counter", "Values written.", caches, cache => cache.Sets);
        Family(text, "cache_entries", "gauge", "Stored entries.", caches, cache => cache.Entries);
        Family(text, "cache_size_bytes", "gauge", "Bytes of stored keys and values.", caches, cache => cache.Bytes);
        Family(text, "cache_quota_bytes", "gauge", "Quota of the cache; 0 means none.", caches, cache => cache.MaxBytes);
        Header(text, "cache_evictions_total", "counter", "Entries evicted, expired or flushed, by reason.");
        foreach (CacheStats cache in caches)
        {
            string label = Escape(cache.Name);
            Sample(text, "cache_evictions_total", $"cache=\"{label}\",reason=\"memory\"", cache.Evictions.Memory);
            Sample(text, "cache_evictions_total", $"cache=\"{label}\",reason=\"expired\"", cache.Evictions.Expired);
            Sample(text, "cache_evictions_total", $"cache=\"{label}\",reason=\"flushed\"", cache.Evictions.Flushed);
            Sample(text, "cache_evictions_total", $"cache=\"{label}\",reason=\"quota\"", cache.Evictions.Quota);
        }
    }

    private static void WriteTopics(StringBuilder text, TopicsStats topics)
    {
        Gauge(text, "larder_topics", "Topics.", topics.Topics);
        Gauge(text, "larder_topic_subscribers", "Open subscriptions.", topics.Subscribers);
        Counter(text, "larder_topic_messages_total", "Messages published.", topics.Messages);
        Counter(text, "larder_topic_message_bytes_total", "Total size of the values of published messages.", topics.MessageBytes);
        Counter(text, "larder_topic_deliveries_total", "Messages delivered to subscribers' connections.", topics.Deliveries);
        Counter(text, "larder_topic_discontinuities_total", "Notifications to subscribers that they have missed messages.", topics.Gaps);
        Gauge(text, "larder_topic_slowest_behind", "Number of messages that the slowest subscriber is behind.", topics.SlowestBehind);
        Gauge(text, "larder_topic_memory_limit_bytes", "Memory limit of topic messages.", topics.LimitBytes);
        Gauge(text, "larder_topic_memory_used_bytes", "Memory used by topic messages.", topics.UsedBytes);
        Counter(
            text,
            "larder_topic_messages_given_up_total",
            "Stored messages discarded early because the memory limit of topics was reached.",
            topics.GivenUp);
        Counter(text, "larder_topic_refusals_total", "Messages and topics rejected because the memory limit of topics was reached.", topics.Refusals);
    }

    private static void WriteNear(StringBuilder text, NearStats near)
    {
        Gauge(text, "larder_near_streams", "Open near streams.", near.Streams);
        Counter(text, "larder_near_gets_total", "Get calls whose values near caches may store.", near.Gets);
        Counter(text, "larder_near_invalidations_total", "Invalidations of changed keys sent to near streams.", near.Invalidations);
        Counter(text, "larder_near_clears_total", "Messages that make a client clear its near cache.", near.Clears);
        Counter(text, "larder_near_renews_total", "Renewed leases.", near.Renews);
    }

    private static void WriteSnapshot(StringBuilder text, SnapshotStats snapshot)
    {
        Gauge(text, "larder_snapshot_writing", "1 while a snapshot is being written, otherwise 0.", snapshot.IsWriting ? 1 : 0);
        Counter(text, "larder_snapshot_written_total", "Snapshots written.", snapshot.Written);
        Counter(text, "larder_snapshot_failures_total", "Snapshots that could not be written.", snapshot.Failures);
        Gauge(
            text,
            "larder_snapshot_last_success_timestamp_seconds",
            "Unix time at which this process finished its last snapshot; 0 before the first.",
            snapshot.LastAtSeconds ?? 0);
        Gauge(text, "larder_snapshot_last_duration_seconds", "Duration of writing the last snapshot.", snapshot.LastSeconds ?? 0);
        Gauge(text, "larder_snapshot_last_size_bytes", "Size of the last snapshot.", snapshot.LastBytes ?? 0);
        Gauge(text, "larder_snapshot_last_entries", "Entries in the last snapshot.", snapshot.LastEntries ?? 0);
        Gauge(text, "larder_snapshot_loaded_entries", "Entries loaded from the snapshot at the start.", snapshot.LoadedEntries);
        Gauge(text, "larder_snapshot_load_duration_seconds", "Duration of loading the snapshot at the start.", snapshot.LoadSeconds);
        Gauge(text, "larder_snapshot_kept_aside", "1 if the snapshot was not loaded at the start and was moved aside, otherwise 0.", snapshot.KeptAside);
    }

    private static void WriteGarbage(StringBuilder text, GarbageStats garbage)
    {
        Header(text, "dotnet_collections_total", "counter", "Garbage collections by generation; a collection also counts in all lower generations.");
        for (int generation = 0; generation < garbage.Collections.Count; generation++)
        {
            Sample(text, "dotnet_collections_total", $"generation=\"{generation}\"", garbage.Collections[generation]);
        }

        Counter(text, "dotnet_collection_pause_seconds_total", "Total time for which garbage collections paused the process.", garbage.PauseSeconds);
        Gauge(text, "dotnet_heap_bytes", "Size of the managed heap after the last garbage collection.", garbage.HeapBytes);
    }

    private static void WriteFleet(StringBuilder text, FleetStats fleet)
    {
        Gauge(text, "larder_fleet_ready", "1 if the gateway can reach its cluster, otherwise 0.", fleet.IsReady ? 1 : 0);
        Gauge(text, "larder_fleet_covered_slots", "Number of the 16,384 slots that have a master.", fleet.CoveredSlots);
        Gauge(text, "larder_fleet_outstanding", "Commands in flight.", fleet.Outstanding);
        Gauge(text, "larder_fleet_waiting", "Commands waiting for a retry.", fleet.Waiting);
        Counter(text, "larder_fleet_answered_total", "Commands with a response.", fleet.Answered);
        Counter(text, "larder_fleet_moved_total", "MOVED redirects followed.", fleet.Moved);
        Counter(text, "larder_fleet_asked_total", "ASK redirects followed.", fleet.Asked);
        Counter(text, "larder_fleet_retried_total", "Commands retried for a reason other than a MOVED or ASK redirect.", fleet.Retried);
        Counter(text, "larder_fleet_late_total", "Responses that arrived after the deadline of their call.", fleet.Late);
        Counter(text, "larder_fleet_refreshed_total", "Refreshes of the slot map.", fleet.Refreshed);
        Header(text, "larder_fleet_failures_total", "counter", "Commands that failed, by kind.");
        foreach ((string kind, long count) in fleet.Failures)
        {
            Sample(text, "larder_fleet_failures_total", $"kind=\"{kind}\"", count);
        }

        WriteNodes(text, "larder_fleet_node_connected", "gauge", "1 if the node is connected, otherwise 0.", fleet, node => node.IsConnected ? 1 : 0);
        WriteNodes(
            text,
            "larder_fleet_node_slots",
            "gauge",
            "Number of slots of the node, or of its master if the node is a replica.",
            fleet,
            node => node.Slots);
        WriteNodes(text, "larder_fleet_node_outstanding", "gauge", "Commands in flight at the node.", fleet, node => node.Outstanding);
        WriteNodes(text, "larder_fleet_node_reconnects_total", "counter", "Reconnections to the node.", fleet, node => node.Reconnects);
        WriteNodes(
            text,
            "larder_fleet_node_latency_seconds",
            "gauge",
            "Smoothed time from queueing a command to its response.",
            fleet,
            node => node.LatencyUs / 1e6);
        WriteNodes(text, "larder_fleet_node_lag_bytes", "gauge", "Replication data that the replica has not acknowledged.", fleet, node => node.LagBytes ?? 0);
    }

    private static void WriteNodes(StringBuilder text, string name, string type, string help, FleetStats fleet, Func<FleetNodeStats, double> value)
    {
        Header(text, name, type, help);
        foreach (FleetNodeStats node in fleet.Nodes)
        {
            Sample(text, name, $"node=\"{Escape(node.Name)}\",role=\"{node.Role}\"", value(node));
        }
    }

    private static void WriteRpcs(StringBuilder text, IReadOnlyList<RpcMeter> meters)
    {
        Header(text, "larder_rpc_failures_total", "counter", "Calls that failed with a status other than OK.");
        foreach (RpcMeter meter in meters)
        {
            foreach ((Wire.StatusCode code, long count) in meter.Failures())
            {
                Sample(text, "larder_rpc_failures_total", $"{Labels(meter)},status=\"{code}\"", count);
            }
        }

        WriteBytes(text, "larder_rpc_received_bytes_total", "Bytes of requests.", meters, meter => meter.Received);
        WriteBytes(text, "larder_rpc_sent_bytes_total", "Bytes of responses.", meters, meter => meter.Sent);
        Header(text, "larder_rpc_duration_seconds", "histogram", "Time in the server, from reading the first byte of a call to writing its response.");
        foreach (RpcMeter meter in meters)
        {
            WriteHistogram(text, meter);
        }
    }

    private static void WriteBytes(StringBuilder text, string name, string help, IReadOnlyList<RpcMeter> meters, Func<RpcMeter, StripedCount> count)
    {
        Header(text, name, "counter", help);
        foreach (RpcMeter meter in meters)
        {
            Sample(text, name, Labels(meter), count(meter).Value);
        }
    }

    private static void WriteHistogram(StringBuilder text, RpcMeter meter)
    {
        LatencySnapshot latency = meter.Latency.Snapshot();
        string labels = Labels(meter);
        double sumUs = 0;
        long[] cumulative = new long[BucketBoundsUs.Length];
        foreach ((double upperUs, long count) in latency.NonEmptyBuckets())
        {
            sumUs += upperUs * count;
            for (int index = BucketBoundsUs.Length - 1; index >= 0 && upperUs <= BucketBoundsUs[index]; index--)
            {
                cumulative[index] += count;
            }
        }

        for (int index = 0; index < BucketBoundsUs.Length; index++)
        {
            Sample(text, "larder_rpc_duration_seconds_bucket", $"{labels},le=\"{Number(BucketBoundsUs[index] / 1e6)}\"", cumulative[index]);
        }

        Sample(text, "larder_rpc_duration_seconds_bucket", $"{labels},le=\"+Inf\"", latency.Total);
        Sample(text, "larder_rpc_duration_seconds_sum", labels, sumUs / 1e6);
        Sample(text, "larder_rpc_duration_seconds_count", labels, latency.Total);
    }

    private static string OperatingSystemName => OperatingSystem.IsLinux() ? "linux" : OperatingSystem.IsWindows() ? "windows" : "macos";

    private static string Labels(RpcMeter meter) => $"rpc=\"{meter.Rpc}\",transport=\"{meter.Transport}\"";

    private static void Family(StringBuilder text, string name, string type, string help, IReadOnlyList<CacheStats> caches, Func<CacheStats, double> value)
    {
        Header(text, name, type, help);
        foreach (CacheStats cache in caches)
        {
            Sample(text, name, $"cache=\"{Escape(cache.Name)}\"", value(cache));
        }
    }

    private static void Gauge(StringBuilder text, string name, string help, double value) => Single(text, name, "gauge", help, value);

    private static void Counter(StringBuilder text, string name, string help, double value) => Single(text, name, "counter", help, value);

    private static void Single(StringBuilder text, string name, string type, string help, double value)
    {
        Header(text, name, type, help);
        text.Append(name).Append(' ').Append(Number(value)).Append('\n');
    }

    private static void Header(StringBuilder text, string name, string type, string help) =>
        text.Append("# HELP ").Append(name).Append(' ').Append(help).Append('\n')
            .Append("# TYPE ").Append(name).Append(' ').Append(type).Append('\n');

    private static void Sample(StringBuilder text, string name, string labels, double value) =>
        text.Append(name).Append('{').Append(labels).Append("} ").Append(Number(value)).Append('\n');

    private static string Number(double value) => value.ToString("0.#########", CultureInfo.InvariantCulture);

    private static string Escape(string label) => label
        .Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\"", "\\\"", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal);
}
