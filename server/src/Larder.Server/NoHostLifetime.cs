using Microsoft.Extensions.Hosting;

namespace Larder.Server;

/// <summary>A host lifetime that does not handle signals, because <see cref="ServeProcess"/> handles them for both hosts of a server.</summary>
internal sealed class NoHostLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
