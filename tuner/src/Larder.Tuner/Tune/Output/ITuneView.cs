using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Displays a run while it is in progress. Calls do not overlap; a view must not block.</summary>
internal interface ITuneView
{
    /// <summary>
    /// The first call: describes what is tuned, with the requested transport, and the maximum duration. The duration is null if the length of the rounds was
    /// given instead.
    /// </summary>
    void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost);

    /// <summary>Called when the client is open and warmed up, before the search starts. Only steps, notes and the time left are reported earlier.</summary>
    void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload);

    /// <summary>Called when a load starts; called again for each pass of a rung.</summary>
    void OnStepStarted(LoadStep step);

    /// <summary>Called after each measured second of the current load.</summary>
    void OnProgress(LoadSecond second);

    /// <summary>
    /// Called when a rung has a new measurement; <paramref name="rung"/> contains all its measurements and replaces the rung with the same callers and
    /// channels.
    /// </summary>
    void OnRung(SearchRung rung);

    /// <summary>Called when the search is over; null if no rung meets the target.</summary>
    void OnKnee(SearchRung? knee, string why);

    /// <summary>Called when a step of the rate search is complete.</summary>
    void OnRate(RateStep step, TuneTarget target);

    /// <summary>Called when the rate search of a target is over; null if no rate meets it.</summary>
    void OnAnswer(ProvedRate? proved, string sentence);

    /// <summary>Called when a concurrency limit, adaptive or the knee's, has been measured.</summary>
    void OnAdaptive(AdaptiveRow row);

    /// <summary>Reports the progress from 0 to 1 and the approximate time left, whenever they change.</summary>
    void OnTimeLeft(double done, TimeSpan left);

    /// <summary>Reports something that the user must know now: rounds are no longer repeated, or a step is skipped.</summary>
    void OnNote(string note);

    /// <summary>Called when the run is complete.</summary>
    void OnEnd(TuneRun run);
}
