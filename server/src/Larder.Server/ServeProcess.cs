using System.Runtime.InteropServices;
using Larder.Wire.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace Larder.Server;

/// <summary>Runs the server as a process: prints the start line to standard output, writes the log to standard error, and stops on SIGTERM or Ctrl+C.</summary>
internal static class ServeProcess
{
    private const int Started = 0;
    private const int CouldNotStart = 2;

    public static async Task<int> RunAsync(ServerOptions options, CancellationToken cancelled)
    {
        if (options.IsGateway || Reactor.IsDefault)
        {
            // This must be set before the thread pool starts its first thread, because that thread reads the setting (ADR-0076, ADR-0102).
            AppContext.SetData("System.Threading.ThreadPool.UnfairSemaphoreSpinLimit", 0);
        }

        using ILoggerFactory loggers = LoggerFactory.Create(logging => Configure(logging, options));
        TaskCompletionSource stop = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenSource starting = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => Stop(signal, stop));
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => Stop(signal, stop));
        // A stop signal also cancels the startup, because the startup may take a long time, for example when a snapshot is loaded.
        _ = stop.Task.ContinueWith(_ => starting.Cancel(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        LarderServer? started = null;
        ServiceManager manager = ServiceManager.OfEnvironment();
        // SIGHUP does not stop the server, because it may be sent by a closed terminal, or by a supervisor that requests a reload.
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, signal =>
        {
            signal.Cancel = true;
            if (Volatile.Read(ref started) is { } running)
            {
                manager.Reloading();
                running.Reload();
                manager.Ready();
            }
        });
        try
        {
            await using LarderServer server = await LarderServer.StartAsync(options, loggers, starting.Token).ConfigureAwait(false);
            Volatile.Write(ref started, server);
            StandardOutput.WriteLine(server.StartLine);
            manager.Ready();
            // Returns the memory that startup used to the operating system. An idle server would otherwise keep several megabytes.
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive);
            await stop.Task.ConfigureAwait(false);
            manager.Stopping();
            // The deadline is deliberately not disposed, because disposing it would cancel it. It must also limit the remaining steps until the process exits.
            _ = new ShutdownDeadline(ShutdownDeadline.Limit, ShutdownDeadline.EndProcess, () => server.SnapshotProgress);
        }
        catch (OperationCanceledException) when (stop.Task.IsCompleted)
        {
            // The server was stopped before it began to serve.
        }
        catch (ServerOptionsException error)
        {
            await System.Console.Error.WriteLineAsync($"larder: {error.Message}").ConfigureAwait(false);
            return CouldNotStart;
        }

        return Started;
    }

    private static void Stop(PosixSignalContext signal, TaskCompletionSource stop)
    {
        // Suppresses the default action of the signal. The process exits after the drain.
        signal.Cancel = true;
        stop.TrySetResult();
    }

    private static void Configure(ILoggingBuilder logging, ServerOptions options)
    {
        logging.SetMinimumLevel(options.LogLevel);
        logging.AddFilter("Microsoft", LogLevel.Warning);
        // Suppresses the host's own log of a failed start, which contains a stack trace. The failure is reported once, in a message that names the option to
        // change.
        logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        bool isRead = !System.Console.IsErrorRedirected;
        if (options.LogFormat == LogFormat.Json || (options.LogFormat == LogFormat.Automatic && !isRead))
        {
            logging.AddJsonConsole(static console =>
            {
                console.UseUtcTimestamp = true;
                console.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ";
            });
        }
        else
        {
            logging.AddSimpleConsole(console =>
            {
                console.SingleLine = true;
                console.UseUtcTimestamp = !isRead;
                console.TimestampFormat = isRead ? "HH:mm:ss.fff " : "yyyy-MM-ddTHH:mm:ss.fffZ ";
            });
        }

        logging.Services.Configure<ConsoleLoggerOptions>(console =>
        {
            console.LogToStandardErrorThreshold = LogLevel.Trace;
            // If no program reads the log and the queue is full, lines are dropped and counted. Logging therefore never blocks.
            console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite;
        });
    }
}
