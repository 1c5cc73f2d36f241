using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.FileStore;

/// <summary>
/// Checks the health of a cache. The data of the result contains the measured values. The result is:
/// <list type="bullet">
/// <item>the failure status of the registration (by default unhealthy), if the file cannot be opened, read or written;</item>
/// <item>degraded, if damage was found or the cache uses more than nine tenths of its size limit;</item>
/// <item>healthy, in all other cases.</item>
/// </list>
/// </summary>
/// <param name="status">Gets the state to report.</param>
public sealed class FileStoreHealthCheck(Func<FileStoreStatus> status) : IHealthCheck
{
    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        FileStoreStatus now;
        try
        {
            now = status();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return Task.FromResult(new HealthCheckResult(context.Registration.FailureStatus, e.Message, e));
        }
        Dictionary<string, object> data = new()
        {
            ["path"] = now.Path,
            ["entries"] = now.Entries,
            ["liveBytes"] = now.LiveBytes,
            ["fileBytes"] = now.FileBytes,
            ["generation"] = now.Generation,
            ["faults"] = now.Faults,
        };
        return Task.FromResult(now switch
        {
            { Fault: { } fault } => new HealthCheckResult(context.Registration.FailureStatus, fault, data: data),
            { DamagedLines: > 0 } => HealthCheckResult.Degraded(
                $"{now.DamagedLines} damaged regions were found in {now.Path}; copies are in {now.Path}.damaged.",
                data: data),
            _ when now.LiveBytes > now.MaxBytes / 10 * 9 => HealthCheckResult.Degraded(
                $"The cache is almost full: {now.LiveBytes} of at most {now.MaxBytes} bytes. Increase MaxBytes, or let entries expire.",
                data: data),
            _ => HealthCheckResult.Healthy($"{now.Entries} entries in {now.Path}.", data),
        });
    }
}
