using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>Where a run shows itself while it goes on. Called from one thread at a time; a view must not block.</summary>
internal interface ITuneView
{
    /// <summary>
    /// The first of all: what is about to be tuned, with the transport as it was asked for, and how long that takes at most; null where the length of its
    /// rounds was given instead.
    /// </summary>
    void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost);

    /// <summary>The client was opened and warmed up; the search is about to start. Only steps, notes and the time left may come before.</summary>
    void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload);

    /// <summary>A load starts. Further passes of a rung start it again.</summary>
    void OnStepStarted(LoadStep step);

    /// <summary>A measured second of the load that runs has passed.</summary>
    void OnProgress(LoadSecond second);

    /// <summary>
    /// A rung has a new measurement; <paramref name="rung"/> holds all that it has so far, so one of the same callers and channels is replaced.
    /// </summary>
    void OnRung(SearchRung rung);

    /// <summary>The search is over; null when no rung is within the target.</summary>
    void OnKnee(SearchRung? knee, string why);

    /// <summary>A step of the rate search is done.</summary>
    void OnRate(RateStep step, TuneTarget target);

    /// <summary>The rate search of a target is over; null when no rate keeps it.</summary>
    void OnAnswer(ProvedRate? proved, string sentence);

    /// <summary>A cap, adaptive or the knee's, is measured.</summary>
    void OnAdaptive(AdaptiveRow row);

    /// <summary>How far the run is, 0 to 1, and about how long it will still take. Called as often as it changes.</summary>
    void OnTimeLeft(double done, TimeSpan left);

    /// <summary>Something a reader must know now: that rounds are not repeated any more, a step that is left out.</summary>
    void OnNote(string note);

    /// <summary>All is measured.</summary>
    void OnEnd(TuneRun run);
}
